/** What each directory file must have, by column name; others are ignored, order does not matter. */
export const directoryColumns = {
  ndc: [
    'product_ndc',
    'package_ndc',
    'product_type',
    'proprietary_name',
    'nonproprietary_name',
    'labeler',
    'dosage_form',
    'route',
    'substances',
    'strength',
    'strength_unit',
    'strength_display',
    'package_size',
    'package_unit',
    'package_description',
    'pharm_classes',
  ],
  dpd: [
    'din',
    'product_type',
    'controlled',
    'brand_name',
    'brand_name_fr',
    'company',
    'ingredients',
    'ingredients_fr',
    'strength_display',
    'dosage_form',
    'route',
    'package_information',
  ],
  upc: [
    'upc',
    'package_ndc',
    'product_type',
    'brand_name',
    'generic_name',
    'manufacturer',
    'route',
    'product_ndcs',
  ],
  nadac: ['drug_term', 'nadac_per_unit_usd', 'pricing_unit'],
} as const

export type DirectoryKind = keyof typeof directoryColumns
export type DirectoryRow<Kind extends DirectoryKind> = Record<(typeof directoryColumns)[Kind][number], string>

/** Why a row cannot be taken, in words for the person who imports. */
export class RowRejected extends Error {}

/**
 * Finds the columns of a header line. Throws a plain sentence when one is missing or stands twice.
 * @returns for each needed column its place in a line
 */
export function findColumns(kind: DirectoryKind, header: string): ReadonlyMap<string, number> {
  const names = header
    .replace(/^\uFEFF/, '')
    .split('\t')
    .map((name) => name.trim())
  const columns = new Map(directoryColumns[kind].map((name) => [name as string, names.indexOf(name)]))
  const missing = [...columns].filter(([, at]) => at < 0).map(([name]) => name)
  if (missing.length > 0) throw new Error(`the header has no column ${missing.join(', ')}`)
  const doubled = [...columns.keys()].filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (doubled.length > 0) throw new Error(`the header has the column ${doubled.join(', ')} twice`)
  return columns
}

/** The longest list of ingredients or classes in the real files has 4,000 characters. */
const longestValue = 20_000

/** One line by its columns, each value trimmed. Throws RowRejected when the line has fewer than the header. */
export function parseLine<Kind extends DirectoryKind>(
  columns: ReadonlyMap<string, number>,
  line: string,
): DirectoryRow<Kind> {
  const values = line.split('\t')
  const row: Record<string, string> = {}
  for (const [name, at] of columns) {
    const value = values[at]
    if (value === undefined)
      throw new RowRejected(`the line has ${values.length} columns, ${name} is missing`)
    if (value.length > longestValue) throw new RowRejected(`${name} has ${value.length} characters`)
    row[name] = value.trim()
  }
  return row as DirectoryRow<Kind>
}
