import { z } from 'zod'
import { missingProductFields } from './catalog-messages.ts'
import { categories } from './catalog.ts'
import { isBlank, typedLine, typedLines } from '../typed-text.ts'

/** What an admin says of a product (specification, sections 5 and 7; contract, "Products and stock"). */

export const productBounds = { name: 300, description: 20_000, image: 2000 } as const

const name = z
  .string({ error: missingProductFields })
  .transform(typedLine)
  .refine((text) => !isBlank(text), missingProductFields)
  .refine(
    (text) => text.length <= productBounds.name,
    `Please shorten it to ${productBounds.name} characters.`,
  )

const description = z
  .string({ error: 'Please write text.' })
  .nullable()
  .transform((text) => (text === null || isBlank(text) ? null : typedLines(text)))
  .refine(
    (text) => text === null || text.length <= productBounds.description,
    `Please shorten it to ${productBounds.description} characters.`,
  )

/** Neither a second slash nor a backslash at its beginning: browsers take those for another host. */
const sitePath = /^\/(?![/\\])[^\s\\]*$/

function isPicture(text: string): boolean {
  if (sitePath.test(text)) return true
  if (!/^https:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const image = z
  .string({ error: missingProductFields })
  .transform((text) => text.trim())
  .refine((text) => !isBlank(text), missingProductFields)
  .refine(
    (text) => text.length <= productBounds.image,
    `Please shorten it to ${productBounds.image} characters.`,
  )
  .refine((text) => isBlank(text) || isPicture(text), 'It must be a path of this site or an https address.')

const category = z.enum(categories, { error: `It must be ${categories.join(' or ')}.` })
const pharmacyId = z.string({ error: 'It must be the id of a pharmacy or null.' }).nullable()

export const newProductSchema = z.object({
  name,
  category: category.default('Rx'),
  description: description.default(null),
  image,
  pharmacyId: pharmacyId.default(null),
})
export type NewProduct = z.output<typeof newProductSchema>

/** What is left out stays. */
export const productChangesSchema = z.object({
  name: name.optional(),
  category: category.optional(),
  description: description.optional(),
  image: image.optional(),
})
export type ProductChanges = z.output<typeof productChangesSchema>
