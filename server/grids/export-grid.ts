import { byteOrderMark, csvLine, type CsvValue } from '#domain/csv.ts'
import { parsePlace, type GridPage, type GridQuery } from '#domain/grid.ts'
import { setImmediate as letOthers } from 'node:timers/promises'

/** What stands over a column of an exported table, and what each row has there. */
export type ExportColumn<Row> = readonly [header: string, valueOf: (row: Row) => CsvValue]

/** Rows read at a time: bounds the memory, and how long other requests wait. */
const batch = 500

/**
 * Everything that a grid's search and filters match, in its order, as CSV; written as it is read, so memory stays the same however long it
 * is.
 * @param readPage the use case of the grid, which checks who asks and writes down what is read
 */
export async function* exportGrid<Row, Query extends GridQuery<string>>(
  query: Query,
  columns: readonly ExportColumn<Row>[],
  readPage: (query: Query) => Promise<GridPage<Row>>,
): AsyncGenerator<string, void> {
  let page: GridPage<Row> | null = null
  do {
    const next: string | null = page?.next ?? null
    const after = next === null ? undefined : parsePlace(next)
    const isFirst = page === null
    page = await readPage({ ...query, after, before: undefined, last: undefined, size: batch })
    const head = isFirst ? byteOrderMark + csvLine(columns.map(([header]) => header)) : ''
    // SQLite answers at once: without this nothing would be sent, and nobody else answered, until all is read.
    await letOthers()
    yield head + page.rows.map((row) => csvLine(columns.map(([, valueOf]) => valueOf(row)))).join('')
  } while (page.next !== null)
}
