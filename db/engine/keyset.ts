import { formatCursor, type GridPage, type GridQuery } from '#domain/grid.ts'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { isDataException } from './sql.ts'

type Keyset = {
  /** The sort column: never null, and indexed together with the id. */
  by: RawBuilder<string | number>
  /** The tie-breaker for rows with equal values. */
  id: RawBuilder<string>
}

/** Where a page starts reading, and in which direction: backward starts at its last row. */
export function toPageStart({ dir, after, before, last }: GridQuery<string>) {
  const isBackward = last !== undefined || before !== undefined
  const isDescending = (dir === 'asc') === isBackward
  return {
    isBackward,
    isDescending,
    from: last === undefined ? (before ?? after) : undefined,
    order: isDescending ? sql`desc` : sql`asc`,
    beyond: isDescending ? sql`<` : sql`>`,
  }
}

/**
 * A page of a long list. It starts at a row instead of an offset, so it costs the same at any
 * depth, and inserts do not shift rows between pages.
 * @param query the matching rows, unsorted
 * @param total the number of matching rows
 */
export async function keysetPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, id }: Keyset,
  page: GridQuery<string>,
  total: Promise<number>,
): Promise<GridPage<Row>> {
  const { size } = page
  const { isBackward, from, order, beyond } = toPageStart(page)
  const ordered = query
    .select([by.as('sortedBy'), id.as('rowId')])
    .$castTo<Row & CursorColumns>()
    .orderBy(sql`${by} ${order}, ${id} ${order}`)
    .limit(size + 1)
  const reading = (
    from ? ordered.where(sql<boolean>`(${by}, ${id}) ${beyond} (${from.value}, ${from.id})`) : ordered
  )
    .execute()
    .catch((error: unknown) => {
      if (from && isDataException(error)) return null
      throw error
    })
  // Awaited together: an unhandled rejection of the count would end the process.
  const [found, count] = await Promise.all([reading, total])
  // A cursor of another sort order is ignored.
  if (found === null) {
    return keysetPage(query, { by, id }, { ...page, after: undefined, before: undefined }, total)
  }
  const isMore = found.length > size
  const rows = found.slice(0, size)
  if (isBackward) rows.reverse()
  const hasNext = isBackward ? from !== undefined : isMore
  const hasPrevious = isBackward ? isMore : from !== undefined
  return {
    rows: rows.map(withoutCursor),
    total: count,
    next: hasNext ? rowCursor(rows.at(-1)) : null,
    previous: hasPrevious ? rowCursor(rows[0]) : null,
  }
}

type CursorColumns = { sortedBy: string | number; rowId: string }

const rowCursor = (row: CursorColumns | undefined): string | null =>
  row ? formatCursor({ value: row.sortedBy, id: row.rowId }) : null

/** The row without its cursor columns. */
function withoutCursor<Row>(row: Row & CursorColumns): Row {
  const copy: Row & Partial<CursorColumns> = { ...row }
  delete copy.sortedBy
  delete copy.rowId
  return copy
}
