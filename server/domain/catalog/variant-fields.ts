import { z } from 'zod'
import { dosageForms } from './catalog.ts'
import { missingVariantFields, selectProduct } from './catalog-messages.ts'
import { isNdc, hasValidCheckDigit } from './identifiers.ts'
import { maxStock } from '../inventory/inventory.ts'
import { parseCents } from '../money.ts'
import { isBlank, cleanLine } from '../clean-text.ts'

/**
 * Fields of a variant that an admin edits (specification, sections 5 and 7; contract, "Shapes" and
 * "Products and stock").
 */

export const variantBounds = { text: 300, sku: 100, packageSize: 1_000_000 } as const

/**
 * $999,999.99: the most that card networks accept in one charge (Stripe, "Minimum and maximum
 * charge amounts").
 */
const maxCents = 99_999_999

const tooLong = (max: number): string => `Enter at most ${max} characters.`

const required = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? missingVariantFields : 'Enter text.') })
    .transform(cleanLine)
    .refine((text) => !isBlank(text), missingVariantFields)
    .refine((text) => text.length <= max, tooLong(max))

/** Optional text. Blank becomes null. */
const optional = (max: number) =>
  z
    .string({ error: 'Enter text.' })
    .nullable()
    .transform((text) => (text === null || isBlank(text) ? null : cleanLine(text)))
    .refine((text) => text === null || text.length <= max, tooLong(max))

const invalidAmount = 'Enter a dollar amount like "12.50".'

const readAmount = (text: string, ctx: z.RefinementCtx): number => {
  const cents = parseCents(text.trim())
  if (cents !== null && cents <= maxCents) return cents
  ctx.addIssue({ code: 'custom', message: invalidAmount })
  return z.NEVER
}

const price = z
  .string({ error: (issue) => (issue.input === undefined ? missingVariantFields : invalidAmount) })
  .refine((text) => !isBlank(text), { error: missingVariantFields, abort: true })
  .transform(readAmount)

const acquisitionCost = z
  .string({ error: invalidAmount })
  .nullable()
  .transform((text, ctx) => (text === null || isBlank(text) ? null : readAmount(text, ctx)))

const identifier = (isValid: (text: string) => boolean, message: string) =>
  optional(variantBounds.text).refine((text) => text === null || isValid(text), message)

const wholeNumber = 'Enter a whole number.'
const reference = (kind: string) => z.string({ error: `This must be a ${kind} id or null.` }).nullable()
const flag = z.boolean({ error: 'This must be true or false.' })

const fields = {
  productId: z.string({ error: selectProduct }).min(1, selectProduct),
  brandName: optional(variantBounds.text),
  manufacturerId: reference('manufacturer'),
  dosageForm: z
    .enum(dosageForms, { error: `This must be one of ${dosageForms.join(', ')}, or null.` })
    .nullable(),
  strength: required(variantBounds.text),
  strengthUnit: required(variantBounds.text),
  packageSize: z
    .number({ error: (issue) => (issue.input === undefined ? missingVariantFields : wholeNumber) })
    .int(wholeNumber)
    .refine((size) => size !== 0, missingVariantFields)
    .refine(
      (size) => size >= 0 && size <= variantBounds.packageSize,
      `Enter a number from 1 to ${variantBounds.packageSize}.`,
    ),
  packageUnit: required(variantBounds.text),
  price,
  acquisitionCost,
  sku: optional(variantBounds.sku),
  upc: identifier(
    (text) => text.length === 12 && hasValidCheckDigit(text),
    'A UPC has 12 digits and a valid check digit.',
  ),
  ndc: identifier(isNdc, 'An NDC is a package code with dashes, like 0228-2899-96.'),
  din: identifier((text) => /^\d{8}$/.test(text), 'A DIN has 8 digits.'),
  inStock: flag,
  stockQuantity: z
    .number({ error: wholeNumber })
    .int(wholeNumber)
    .min(0, 'Enter 0 or more.')
    .max(maxStock, `Enter ${maxStock} or less.`),
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
  /** Follows the stock when left out. */
  inStock: flag.optional(),
  stockQuantity: fields.stockQuantity.default(0),
  linkedVariantId: fields.linkedVariantId.default(null),
  trackInventory: flag.default(true),
})
export type NewVariant = z.output<typeof newVariantSchema>

/** Fields left out stay unchanged. */
export const variantChangesSchema = z
  .object({
    ...fields,
    stockQuantity: fields.stockQuantity.meta({
      deprecated: true,
      description: 'Overwrites what was sold since you read it. Use /api/inventory/adjust instead.',
    }),
  })
  .partial()
export type VariantChanges = z.output<typeof variantChangesSchema>

/**
 * The back office stores identifiers as printed on the package and only warns
 * (docs/decisions/0019-back-office.md). The published format is what /api requires.
 */
const printedIdentifier = optional(50).refine(
  (text) => text === null || /^[0-9a-z][0-9a-z -]*$/i.test(text),
  'Use letters, digits and dashes.',
)
const printed = { upc: printedIdentifier, ndc: printedIdentifier, din: printedIdentifier }

export const newAdminVariantSchema = newVariantSchema.extend({
  upc: printedIdentifier.default(null),
  ndc: printedIdentifier.default(null),
  din: printedIdentifier.default(null),
})
export const adminVariantChangesSchema = variantChangesSchema.extend(z.object(printed).partial().shape)
