import { z } from 'zod'
import { missingProductFields } from './catalog-messages.ts'
import { categories } from './catalog.ts'
import { isPrivatePath, isSitePath } from './product-pictures.ts'
import { isBlank, cleanLine, cleanLines } from '../clean-text.ts'

/**
 * Fields of a product that an admin edits (specification, sections 5 and 7; contract, "Products and
 * stock").
 */

export const productBounds = { name: 300, description: 20_000, image: 2000 } as const

const name = z
  .string({ error: missingProductFields })
  .transform(cleanLine)
  .refine((text) => !isBlank(text), missingProductFields)
  .refine((text) => text.length <= productBounds.name, `Enter at most ${productBounds.name} characters.`)

const description = z
  .string({ error: 'Enter text.' })
  .nullable()
  .transform((text) => (text === null || isBlank(text) ? null : cleanLines(text)))
  .refine(
    (text) => text === null || text.length <= productBounds.description,
    `Enter at most ${productBounds.description} characters.`,
  )

function isPictureUrl(text: string): boolean {
  if (isSitePath(text)) return true
  if (!/^https:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const image = z
  .string({ error: missingProductFields })
  .transform((text) => text.trim())
  .refine((text) => !isBlank(text), missingProductFields)
  .refine((text) => text.length <= productBounds.image, `Enter at most ${productBounds.image} characters.`)
  .refine((text) => isBlank(text) || isPictureUrl(text), 'Use a path on this site or an https address.')
  .refine((text) => !isPrivatePath(text), 'Visitors can’t see this path. Use the path of a public picture.')

const category = z.enum(categories, { error: `Choose ${categories.join(' or ')}.` })
const pharmacyId = z.string({ error: 'This must be a pharmacy id or null.' }).nullable()

export const newProductSchema = z.object({
  name,
  category: category.default('Rx'),
  description: description.default(null),
  image,
  pharmacyId: pharmacyId.default(null),
})
export type NewProduct = z.output<typeof newProductSchema>

/** Fields left out stay unchanged. */
export const productChangesSchema = z.object({
  name: name.optional(),
  category: category.optional(),
  description: description.optional(),
  image: image.optional(),
})
export type ProductChanges = z.output<typeof productChangesSchema>
