import type { ImportOutcome, ImportStatus } from '#domain/catalog/csv-imports.ts'
import type { Generated } from 'kysely'

/** An uploaded file of variants, prices or stock. */
export type CsvImportsTable = {
  id: string
  actorId: string
  fileName: string
  status: ImportStatus
  /** JSON: the column names of the file's first line. */
  header: string
  /** JSON of an `ImportMapping`. Null until an admin has mapped the columns. */
  mapping: string | null
  rowCount: Generated<number>
  /** The last line that was checked. */
  checkedLine: Generated<number>
  /** The number of the check. Keys of an earlier check do not count. */
  round: Generated<number>
  /** The request that applied it. */
  requestId: string | null
  createdAt: Date
  updatedAt: Date
}

/** A line of the file. */
export type CsvImportRowsTable = {
  importId: string
  line: number
  /** JSON: the cells as they are in the file. */
  cells: string
  /** What is wrong with the line itself, independent of the mapping. */
  fault: string | null
  /** Null until the line is checked. */
  outcome: ImportOutcome | null
  variantId: string | null
  productId: string | null
  name: string | null
  /** JSON of `ImportChanges`. */
  changes: string | null
  problem: string | null
  /** What to check before it is applied. */
  warning: Generated<string | null>
  isApplied: Generated<boolean>
}

/** The variants that the lines of a check name, to find duplicates. */
export type CsvImportKeysTable = { importId: string; round: number; key: string; line: number }
