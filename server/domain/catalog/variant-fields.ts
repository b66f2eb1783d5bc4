import { z } from 'zod'
import { dosageForms } from './catalog.ts'
import { missingVariantFields, selectProduct } from './catalog-messages.ts'
import { isNdc, upcCheckDigitIsValid } from './identifiers.ts'
import { maxStock } from '../inventory/inventory.ts'
import { parseCents } from '../money.ts'
import { isBlank, typedLine } from '../typed-text.ts'

/** What an admin says of a variant (specification, sections 5 and 7; contract, "Shapes" and "Products and stock"). */

export const variantBounds = { text: 300, sku: 100, packageSize: 1_000_000 } as const

/** US dollars 999,999.99: the most that the card networks take at once (Stripe, "Minimum and maximum charge amounts"). */
const maxCents = 99_999_999

const shorten = (max: number): string => `Please shorten it to ${max} characters.`

const required = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? missingVariantFields : 'Please write text.') })
    .transform(typedLine)
    .refine((text) => !isBlank(text), missingVariantFields)
    .refine((text) => text.length <= max, shorten(max))

/** A text that may be left blank, which is null. */
const optional = (max: number) =>
  z
    .string({ error: 'Please write text.' })
    .nullable()
    .transform((text) => (text === null || isBlank(text) ? null : typedLine(text)))
    .refine((text) => text === null || text.length <= max, shorten(max))

const amountWords = 'Please write an amount of dollars as text, like "12.50".'

const readAmount = (text: string, ctx: z.RefinementCtx): number => {
  const cents = parseCents(text.trim())
  if (cents !== null && cents <= maxCents) return cents
  ctx.addIssue({ code: 'custom', message: amountWords })
  return z.NEVER
}

const price = z
  .string({ error: (issue) => (issue.input === undefined ? missingVariantFields : amountWords) })
  .refine((text) => !isBlank(text), { error: missingVariantFields, abort: true })
  .transform(readAmount)

const acquisitionCost = z
  .string({ error: amountWords })
  .nullable()
  .transform((text, ctx) => (text === null || isBlank(text) ? null : readAmount(text, ctx)))

const identifier = (isRight: (text: string) => boolean, words: string) =>
  optional(variantBounds.text).refine((text) => text === null || isRight(text), words)

const wholeNumber = 'Please enter a whole number.'
const reference = (what: string) => z.string({ error: `It must be the id of a ${what} or null.` }).nullable()
const flag = z.boolean({ error: 'It must be true or false.' })

const fields = {
  productId: z.string({ error: selectProduct }).min(1, selectProduct),
  brandName: optional(variantBounds.text),
  manufacturerId: reference('manufacturer'),
  dosageForm: z
    .enum(dosageForms, { error: `It must be one of ${dosageForms.join(', ')}, or null.` })
    .nullable(),
  strength: required(variantBounds.text),
  strengthUnit: required(variantBounds.text),
  packageSize: z
    .number({ error: (issue) => (issue.input === undefined ? missingVariantFields : wholeNumber) })
    .int(wholeNumber)
    .refine((size) => size !== 0, missingVariantFields)
    .refine(
      (size) => size >= 0 && size <= variantBounds.packageSize,
      `It must be from 1 to ${variantBounds.packageSize}.`,
    ),
  packageUnit: required(variantBounds.text),
  price,
  acquisitionCost,
  sku: optional(variantBounds.sku),
  upc: identifier(
    (text) => text.length === 12 && upcCheckDigitIsValid(text),
    'A UPC has 12 digits, of which the last checks the others.',
  ),
  ndc: identifier(isNdc, 'An NDC is the dashed code of a package, like 0228-2899-96.'),
  din: identifier((text) => /^\d{8}$/.test(text), 'A DIN has 8 digits.'),
  inStock: flag,
  stockQuantity: z
    .number({ error: wholeNumber })
    .int(wholeNumber)
    .min(0, 'It must not be below 0.')
    .max(maxStock, `It must not be above ${maxStock}.`),
  linkedVariantId: reference('variant'),
  trackInventory: flag,
}

export const newVariantSchema = z.object({
  ...fields,
  brandName: fields.brandName.default(null),
  manufacturerId: fields.manufacturerId.default(null),
  dosageForm: fields.dosageForm.default(null),
  acquisitionCost: fields.acquisitionCost.default(null),
  sku: fields.sku.default(null),
  upc: fields.upc.default(null),
  ndc: fields.ndc.default(null),
  din: fields.din.default(null),
  /** Left out, it follows the stock. */
  inStock: flag.optional(),
  stockQuantity: fields.stockQuantity.default(0),
  linkedVariantId: fields.linkedVariantId.default(null),
  trackInventory: flag.default(true),
})
export type NewVariant = z.output<typeof newVariantSchema>

/** What is left out stays. */
export const variantChangesSchema = z.object(fields).partial()
export type VariantChanges = z.output<typeof variantChangesSchema>

/**
 * The back office stores an identifier as it stands on the package and warns of what is odd (docs/decisions/0019-back-office.md): a
 * directory's shape is what the old calls ask for.
 */
const asPrinted = optional(50).refine(
  (text) => text === null || /^[0-9a-z][0-9a-z -]*$/i.test(text),
  'It has letters, digits and dashes.',
)
const printed = { upc: asPrinted, ndc: asPrinted, din: asPrinted }

export const newDeskVariantSchema = newVariantSchema.extend({
  upc: asPrinted.default(null),
  ndc: asPrinted.default(null),
  din: asPrinted.default(null),
})
export const deskVariantChangesSchema = variantChangesSchema.extend(z.object(printed).partial().shape)
