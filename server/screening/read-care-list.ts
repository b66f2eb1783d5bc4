import { prepareRows, type PreparedRows } from '#db/screening/care-tables.ts'
import type { CareListName } from '#domain/screening/care-lists.ts'
import { careColumns } from '#domain/screening/care-rows.ts'
import { createHash } from 'node:crypto'
import { careFiles } from './care-files.ts'
import { parseCareFile, type ParsedFile } from './parse-care-file.ts'

/** A list that was read from its file, ready to be written. */
export type CareListRows = ParsedFile & {
  rows: PreparedRows[]
  /** The newest day that a row has; null where no column has one. */
  newestDay: string | null
  /** The classes of interactions in it, each with its first line. */
  classes: ReadonlyMap<string, number>
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Reads a list. One with problems must not be written. */
export async function readCareList<Name extends CareListName>(
  name: Name,
  bytes: Uint8Array,
): Promise<CareListRows> {
  const { keyOf, toRows, dayOf, classOf } = careFiles[name]
  const rows: PreparedRows[] = []
  const classes = new Map<string, number>()
  let newestDay: string | null = null
  const parsed = await parseCareFile(bytes, {
    columns: careColumns[name],
    keyOf,
    onRows: (lines) => {
      rows.push(...prepareRows(toRows(lines)))
      for (const { line, row } of lines) {
        const day = dayOf?.(row) ?? null
        if (day !== null && day > (newestDay ?? '')) newestDay = day
        const name = classOf?.(row) ?? null
        if (name !== null && !classes.has(name)) classes.set(name, line)
      }
    },
  })
  return { ...parsed, rows, newestDay, classes }
}
