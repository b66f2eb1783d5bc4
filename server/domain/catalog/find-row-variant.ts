import type { ImportField } from './csv-imports.ts'
import { codesOf, fieldLabel, possibleNdcCodes, type ParsedRow } from './variant-row-values.ts'

/** What the catalog knows of the variants that lines refer to. */
export type VariantLookup = {
  /** By id. */
  variants: Pick<ReadonlyMap<string, unknown>, 'has'>
  /** Variant ids by identifier or SKU ("ndc:0228-2899-96", "sku:A-1"). */
  variantIdsByCode: ReadonlyMap<string, readonly string[]>
}

/** The keys that a line's variant is looked up by, one list per column. */
export function lookupCodes(row: ParsedRow): { field: ImportField; codes: string[] }[] {
  const found: { field: ImportField; codes: string[] }[] = []
  for (const field of ['ndc', 'din', 'upc'] as const) {
    const text = row[field]
    if (text !== undefined) found.push({ field, codes: codesOf(field, text) })
  }
  if (row.sku !== undefined) found.push({ field: 'sku', codes: [`sku:${row.sku}`] })
  return found
}

export const fieldMessage = (field: ImportField, message: string): string =>
  `${fieldLabel(field)}: ${message}`

/** The variant that a line identifies: its id, null when none matches, or the problem. */
export function findRowVariant(
  row: ParsedRow,
  { variants, variantIdsByCode }: VariantLookup,
): { id: string | null } | { problem: string } {
  if (row.id !== undefined) {
    return variants.has(row.id)
      ? { id: row.id }
      : { problem: fieldMessage('id', 'This variant doesn’t exist.') }
  }
  const named = lookupCodes(row)
  if (named.length === 0) return { problem: 'No column identifies the variant: ID, NDC, DIN, UPC or SKU.' }
  const found = named.flatMap(({ field, codes }) => {
    const ids = new Set(codes.flatMap((code) => variantIdsByCode.get(code) ?? []))
    return ids.size > 0 ? [{ field, ids }] : []
  })
  const [first, ...others] = found
  if (!first) return findAmbiguousNdc(row, variantIdsByCode) ?? { id: null }
  const common = [...first.ids].filter((id) => others.every(({ ids }) => ids.has(id)))
  const [id] = common
  const fields = found.map(({ field }) => fieldLabel(field)).join(' and ')
  if (id === undefined) return { problem: `${fields} match different variants.` }
  if (common.length > 1)
    return { problem: `${common.length} variants have this ${fields}. Use the variant’s ID.` }
  return { id }
}

/** Ten bare digits that fit a package of the catalog must not add it again. */
function findAmbiguousNdc(
  { ndc = '' }: ParsedRow,
  variantIdsByCode: VariantLookup['variantIdsByCode'],
): { problem: string } | null {
  if (!possibleNdcCodes(ndc).some((code) => variantIdsByCode.has(code))) return null
  return { problem: fieldMessage('ndc', ambiguousNdcMessage) }
}

const ambiguousNdcMessage = 'Ten digits can match several packages. Add the hyphens or use 11 digits.'
