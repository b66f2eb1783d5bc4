import { countedRows } from '#domain/grid-total.ts'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from './client.ts'

/**
 * Counts the rows of a query, and stops one above `countedRows`: an exact count of a million rows
 * would cost more than the page it is shown on.
 */
export async function countRows<DB, TB extends keyof DB, Row>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const some = matching.select(sql<number>`1`.as('one')).limit(countedRows + 1)
  const { rows } = await sql<{
    count: number
  }>`select cast(count(*) as integer) as count from (${some}) as counted_rows`.execute(db)
  return rows[0]?.count ?? 0
}
