import { z } from 'zod'
import { listIdentifiers } from '../catalog/identifiers.ts'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { requestKeyField } from '../form-fields.ts'
import { lotReasonField } from '../inventory/lot-fields.ts'
import {
  listCodes,
  listShopCodes,
  toLotKey,
  toPackageDigits,
  variantCode,
  type PackageCodes,
} from './recall-codes.ts'
import { isOneLot } from './recalled-lots.ts'
import { recordedRecalls, type Recall } from './recall.ts'

/** What became of a recall that staff recorded. */
export type RecallAction = 'recorded' | 'ended'

export const recordBounds = {
  firm: 300,
  reference: 500,
  reason: 2000,
  products: 2000,
  lines: 20,
  lots: 5000,
  lot: 60,
  packages: 60,
  /** The length of the ids of packages that are listed without a line. */
  carried: 10_000,
} as const

const required = (message: string, max: number, clean: (text: string) => string) =>
  z
    .string({ error: message })
    .transform(clean)
    .refine((text) => !isBlank(text), message)
    .refine((text) => text.length <= max, `Enter at most ${max.toLocaleString('en-US')} characters.`)

/** What is on lines of their own or between commas or semicolons, each once. */
const lotsOf = (text: string): string[] => {
  const lots = new Map<string, string>()
  for (const lot of text.split(/[\n,;]+/).map(cleanLine)) {
    const key = toLotKey(lot)
    if (key !== '' && !lots.has(key)) lots.set(key, lot)
  }
  return [...lots.values()]
}

const unreadLot = (text: string): string =>
  `“${text.slice(0, recordBounds.lot)}” can’t be read as one lot. Enter each lot on its own line, as printed: no ranges, spaces or “Lot”. If you don’t know each lot, choose “All lots”.`

const lotsField = z
  .string()
  .max(recordBounds.lots, 'Enter fewer lot numbers.')
  .default('')
  .transform(cleanLines)
  .transform(lotsOf)
  .superRefine((lots, ctx) => {
    const unread = lots.find((lot) => lot.length > recordBounds.lot || !isOneLot(lot))
    if (unread !== undefined) ctx.addIssue({ code: 'custom', message: unreadLot(unread) })
  })

const chooseScope = 'Choose whether all lots are recalled.'
const invalidDay = 'Enter the day of the recall, like 2026-07-16.'

/** The form that records a recall, without the packages that it names. */
export const recordRecallSchema = z
  .object({
    requestKey: z.uuidv4('Reload the page and try again.').lowercase(),
    firm: required('Enter the company that recalls the product.', recordBounds.firm, cleanLine),
    reference: required('Enter who reported the recall, and how.', recordBounds.reference, cleanLines),
    initiated: z.string({ error: invalidDay }).pipe(z.iso.date(invalidDay)),
    recallClass: z.enum(['I', 'II', 'III', ''], 'Choose a class.').default(''),
    reason: required('Enter the reason for the recall.', recordBounds.reason, cleanLines),
    /** A code or a name on each line. */
    products: z
      .string()
      .default('')
      .transform(cleanLines)
      .refine(
        (text) => text.length <= recordBounds.products,
        `Enter at most ${recordBounds.products.toLocaleString('en-US')} characters.`,
      ),
    /** The packages of a recall that is recorded again, which need no line. */
    carried: z.string().max(recordBounds.carried).default(''),
    scope: z.enum(['all', 'listed'], chooseScope),
    lots: lotsField,
    /** The lots that may be ranges, confirmed as printed. Separated by spaces, which no lot has. */
    printedLots: z
      .string()
      .max(recordBounds.lots, 'Enter fewer lot numbers.')
      .default('')
      .transform((text) => text.split(' ').filter(Boolean)),
    /** What the preview showed; empty before it. */
    previewed: z.string().max(100).default(''),
    code: z.string().max(100, 'This code is too long.').default(''),
  })
  .superRefine(({ products, carried, scope, lots }, ctx) => {
    if (isBlank(products) && isBlank(carried))
      ctx.addIssue({ code: 'custom', path: ['products'], message: 'Enter the recalled packages.' })
    if (scope === 'listed' && lots.length === 0)
      ctx.addIssue({ code: 'custom', path: ['lots'], message: 'Enter at least one lot number.' })
    if (scope === 'all' && lots.length > 0)
      ctx.addIssue({
        code: 'custom',
        path: ['lots'],
        message: 'Remove the lot numbers, or choose “Only these lots”.',
      })
  })

/** With the packages that were found and chosen. */
export type RecordRecall = Omit<
  z.output<typeof recordRecallSchema>,
  'products' | 'carried' | 'previewed' | 'code'
> & {
  variantIds: readonly string[]
}

/** The form that ends a recorded recall. */
export const endRecallSchema = z.object({
  reason: lotReasonField,
  requestKey: requestKeyField,
  code: z.string().max(100, 'This code is too long.').default(''),
})

/** The shown class of a recall whose class is not known. */
export const unknownClass = 'not known'

/**
 * What a recall names its packages by: their variants, and their NDCs, DINs and UPCs, which a later
 * variant of the package has too. The release before recorded recalls matches the NDCs. A variant
 * that was not chosen keeps its codes out, and so does an NDC that several packages may have.
 */
export function listRecordedCodes(
  variantIds: readonly string[],
  packages: readonly (PackageCodes & { id: string; deletedAt: Date | null })[],
): string[] {
  const chosen = new Set(variantIds)
  const others = new Set(
    packages.flatMap(({ id, deletedAt, ...codes }) =>
      chosen.has(id) || deletedAt !== null ? [] : listCodes({ variantId: id, ...codes }),
    ),
  )
  const own = packages
    .filter(({ id }) => chosen.has(id))
    .flatMap(({ id, ndc, din, upc }) => [
      ...listShopCodes({ variantId: id, din, upc }),
      ndc === null ? null : toPackageDigits(ndc),
    ])
  return [...new Set(own.flatMap((code) => (code === null || others.has(code) ? [] : code)))]
}

/**
 * The codes on the chosen packages that their recall does not name, as staff read them. A later
 * variant with one of them is not recalled.
 */
export function listUnnamedCodes(
  codes: readonly string[],
  packages: readonly (PackageCodes & { id: string })[],
): string[] {
  const named = new Set(codes)
  const unnamed = packages
    .filter(({ id }) => named.has(variantCode(id)))
    .flatMap(({ ndc, din, upc }) => [
      ...(ndc === null || named.has(toPackageDigits(ndc) ?? '') ? [] : [`NDC ${ndc}`]),
      ...listIdentifiers({ ndc: null, din, upc }).flatMap(({ kind, value }) =>
        named.has(`${kind}:${value}`) ? [] : `${kind.toUpperCase()} ${value}`,
      ),
    ])
  return [...new Set(unnamed)]
}

/** The recall that a form records. */
export const toRecordedRecall = (
  { firm, initiated, recallClass, reason, scope, lots }: RecordRecall,
  { id, product, codes }: Pick<Recall, 'id' | 'product' | 'codes'>,
): Recall => ({
  id,
  list: recordedRecalls,
  recallClass: recallClass || unknownClass,
  status: 'Ongoing',
  firm,
  reason,
  product,
  initiated,
  reported: initiated,
  allLots: scope === 'all',
  lotNote: null,
  codes,
  lots,
})
