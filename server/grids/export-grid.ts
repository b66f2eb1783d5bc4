import { byteOrderMark, csvLine, type CsvValue } from '#domain/csv.ts'
import { parseCursor, type GridPage, type GridQuery } from '#domain/grid.ts'
import { setImmediate as letOthers } from 'node:timers/promises'

/** The header of an exported column, and its value for a row. */
export type ExportColumn<Row> = readonly [header: string, valueOf: (row: Row) => CsvValue]

/** Rows read at a time. Bounds the memory, and how long other requests wait. */
const batchSize = 500

/**
 * All rows that a grid's search and filters match, in its order, as CSV. Streamed page by page, so
 * memory stays constant.
 * @param fetchPage the grid's use case, which checks permissions and audits the read
 */
export async function* exportGrid<Row, Query extends GridQuery<string>>(
  query: Query,
  columns: readonly ExportColumn<Row>[],
  fetchPage: (query: Query) => Promise<GridPage<Row>>,
): AsyncGenerator<string, void> {
  let page: GridPage<Row> | null = null
  do {
    const next: string | null = page?.next ?? null
    const after = next === null ? undefined : parseCursor(next)
    const isFirst = page === null
    page = await fetchPage({ ...query, after, before: undefined, last: undefined, size: batchSize })
    const header = isFirst ? byteOrderMark + csvLine(columns.map(([header]) => header)) : ''
    // SQLite answers synchronously: without a yield, nothing would be sent and no other request
    // served until the end.
    await letOthers()
    yield header + page.rows.map((row) => csvLine(columns.map(([, valueOf]) => valueOf(row)))).join('')
  } while (page.next !== null)
}
