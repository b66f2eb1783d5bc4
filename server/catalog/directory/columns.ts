/** The required columns of each directory file. Their order does not matter. */
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

/** Columns that a file may leave out. All others are ignored. */
const optionalColumns = {
  ndc: ['application_number'],
  dpd: [],
  upc: [],
  nadac: [],
} as const satisfies Record<keyof typeof directoryColumns, readonly string[]>

export type DirectoryKind = keyof typeof directoryColumns
export type DirectoryRow<Kind extends DirectoryKind> = Record<
  (typeof directoryColumns)[Kind][number],
  string
> &
  Partial<Record<(typeof optionalColumns)[Kind][number], string>>

/** The columns of a file. */
export type Columns = {
  /** The index of each required column, and of each optional one that the file has. */
  indexes: ReadonlyMap<string, number>
  /** How many columns the file has. */
  count: number
}

/** Why a row is rejected, as a message for the importing admin. */
export class RowRejectedError extends Error {}

/** The columns of a header line. Throws a plain message when one is missing or occurs twice. */
export function findColumns(kind: DirectoryKind, header: string): Columns {
  const names = header
    .replace(/^\uFEFF/, '')
    .split('\t')
    .map((name) => name.trim())
  const indexes = new Map(directoryColumns[kind].map((name) => [name as string, names.indexOf(name)]))
  for (const name of optionalColumns[kind]) if (names.includes(name)) indexes.set(name, names.indexOf(name))
  const missing = [...indexes].filter(([, index]) => index < 0).map(([name]) => name)
  if (missing.length > 0) throw new Error(`the header has no column ${missing.join(', ')}`)
  const duplicated = [...indexes.keys()].filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (duplicated.length > 0) throw new Error(`the header has the column ${duplicated.join(', ')} twice`)
  return { indexes, count: names.length }
}

/** The longest list of ingredients or classes in the published files has 4,000 characters. */
const maxValueLength = 20_000
/** Postgres indexes at most 2,704 bytes. The longest published value in these columns has 83. */
const maxKeyLength = 500
const keyColumns: ReadonlySet<string> = new Set([
  'package_ndc',
  'din',
  'upc',
  'drug_term',
  'labeler',
  'company',
  'manufacturer',
])

/**
 * One line by column name, each value trimmed. Throws RowRejectedError when the line has more
 * or fewer columns than the header, or a value is too long.
 */
export function parseLine<Kind extends DirectoryKind>(
  { indexes, count }: Columns,
  line: string,
): DirectoryRow<Kind> {
  const values = line.split('\t')
  const row: Record<string, string> = {}
  // A tab within a value would move the later values to other columns.
  if (values.length > count && values.slice(count).some((value) => value.trim() !== ''))
    throw new RowRejectedError(`the line has ${values.length} columns, the header has ${count}`)
  for (const [name, index] of indexes) {
    const value = values[index]
    if (value === undefined)
      throw new RowRejectedError(`the line has ${values.length} columns, ${name} is missing`)
    if (value.length > (keyColumns.has(name) ? maxKeyLength : maxValueLength))
      throw new RowRejectedError(`${name} has ${value.length} characters`)
    row[name] = value.trim()
  }
  return row as DirectoryRow<Kind>
}
