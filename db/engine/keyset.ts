import { writePlace, type GridPage, type GridQuery } from '#domain/grid.ts'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { isNoValue } from './sql.ts'

type Keyset = {
  /** What the rows are sorted by; never null, and with the id below the columns of an index. */
  by: RawBuilder<string | number>
  /** What tells rows apart that are equal in it. */
  id: RawBuilder<string>
}

/**
 * A page of a long list: begins at a row, not at a number, so that it costs the same at any depth and nobody misses a row that
 * another one pushed down.
 * @param query what matches, unsorted
 * @param total how many those are
 */
export async function keysetPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, id }: Keyset,
  { dir, after, before, last, size, ...begun }: GridQuery<string>,
  total: Promise<number>,
): Promise<GridPage<Row>> {
  const isBackward = last !== undefined || before !== undefined
  const from = last === undefined ? (before ?? after) : undefined
  const order = (dir === 'asc') === isBackward ? sql`desc` : sql`asc`
  const beyond = (dir === 'asc') === isBackward ? sql`<` : sql`>`
  const asked = query
    .select([by.as('sortedBy'), id.as('rowId')])
    .$castTo<Row & Placed>()
    .orderBy(sql`${by} ${order}, ${id} ${order}`)
    .limit(size + 1)
  const reading = (
    from ? asked.where(sql<boolean>`(${by}, ${id}) ${beyond} (${from.value}, ${from.id})`) : asked
  )
    .execute()
    .catch((error: unknown) => {
      if (from && isNoValue(error)) return null
      throw error
    })
  // Both at once: the failure of a count that nobody waits for yet would end the process.
  const [found, count] = await Promise.all([reading, total])
  // A place that is none of this order counts as left out.
  if (found === null) return keysetPage(query, { by, id }, { ...begun, dir, size }, total)
  const isMore = found.length > size
  const rows = found.slice(0, size)
  if (isBackward) rows.reverse()
  const hasNext = isBackward ? from !== undefined : isMore
  const hasPrevious = isBackward ? isMore : from !== undefined
  return {
    rows: rows.map(bare),
    total: count,
    next: hasNext ? placeOf(rows.at(-1)) : null,
    previous: hasPrevious ? placeOf(rows[0]) : null,
  }
}

type Placed = { sortedBy: string | number; rowId: string }

const placeOf = (row: Placed | undefined): string | null =>
  row ? writePlace({ value: row.sortedBy, id: row.rowId }) : null

/** The row without what only its place was told by. */
function bare<Row>(row: Row & Placed): Row {
  const copy: Row & Partial<Placed> = { ...row }
  delete copy.sortedBy
  delete copy.rowId
  return copy
}
