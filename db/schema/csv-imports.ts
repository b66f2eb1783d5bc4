import type { ImportOutcome, ImportStatus } from '#domain/catalog/csv-imports.ts'
import type { Generated } from 'kysely'

/** A file of variants, prices or stock on its way into the catalogue. */
export type CsvImportsTable = {
  id: string
  actorId: string
  fileName: string
  status: ImportStatus
  /** JSON: the names of the columns, as the file's first line has them. */
  header: string
  /** JSON of an `ImportMapping`; null until somebody has said it. */
  mapping: string | null
  rowCount: Generated<number>
  /** Up to which line the rows are checked. */
  checkedLine: Generated<number>
  /** Which check it is: keys of an older one do not count. */
  round: Generated<number>
  /** Of the request that said "apply". */
  requestId: string | null
  createdAt: Date
  updatedAt: Date
}

/** A line of it. */
export type CsvImportRowsTable = {
  importId: string
  line: number
  /** JSON: the cells as they stand in the file. */
  cells: string
  /** What is wrong with the line whatever it says. */
  fault: string | null
  /** Null until it is checked. */
  outcome: ImportOutcome | null
  variantId: string | null
  productId: string | null
  name: string | null
  /** JSON of `ImportChanges`. */
  changes: string | null
  problem: string | null
  isApplied: Generated<boolean>
}

/** What the rows of a check name. */
export type CsvImportKeysTable = { importId: string; round: number; key: string; line: number }
