import type { DayFigures } from '#domain/dashboard/dashboard.ts'
import { utcDay } from '#domain/days.ts'
import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'

/**
 * The sums of the orders by day. Triggers (migration 0055) append what each change of an order
 * adds, in its transaction, and a job folds these rows into one a day. A read takes both in one
 * statement, so each change counts once, whether it is folded or not.
 */

const changesPerFold = 5000

const allSums = sql`(
  select day, cents, orders, listed, pending from order_day_sums
  union all select day, cents, orders, listed, pending from order_sum_changes
) as sums`

/**
 * All-time sales. The revenue covers all orders: captured money less refunds. The counts cover only
 * orders whose customer still has an account, as in every list.
 */
export async function sumOrders(db: Db): Promise<{ cents: number; orders: number; pending: number }> {
  const { rows } = await sql<{ cents: number; orders: number; pending: number }>`
    select cast(coalesce(sum(cents), 0) as bigint) as cents,
      cast(coalesce(sum(listed), 0) as integer) as orders,
      cast(coalesce(sum(pending), 0) as integer) as pending
    from ${allSums}`.execute(db)
  return rows[0] ?? { cents: 0, orders: 0, pending: 0 }
}

/** The sales of each UTC day of both periods; days without orders are omitted. */
export async function sumOrdersByDay(
  db: Db,
  { before, to }: { before: Date; to: Date },
): Promise<DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    select day, cast(sum(cents) as bigint) as cents, cast(sum(orders) as integer) as orders
    from ${allSums} where day >= ${utcDay(before)} and day < ${utcDay(to)} group by day`.execute(db)
  return rows.filter(({ orders }) => orders > 0)
}

/** Folds what changed into the days, a part at a time. Any number of processes may run it. */
export async function foldOrderSums(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await foldSome(db)) === changesPerFold) continue
}

async function foldSome(db: Db): Promise<number> {
  const first = await db.selectFrom('orderSumChanges').select('id').limit(1).executeTakeFirst()
  // Checked without a transaction: SQLite has one writer.
  if (!first) return 0
  return db.transaction().execute(async (tx) => {
    const ids = tx.selectFrom('orderSumChanges').select('id').orderBy('id').limit(changesPerFold)
    const locked = getEngine(tx) === 'postgres' ? ids.forUpdate().skipLocked() : ids
    const changes = await tx
      .deleteFrom('orderSumChanges')
      .where('id', 'in', locked)
      .returning(['day', 'cents', 'orders', 'listed', 'pending'])
      .execute()
    const days = new Map<string, (typeof changes)[number]>()
    for (const { day, cents, orders, listed, pending } of changes) {
      const sum = days.get(day) ?? { day, cents: 0, orders: 0, listed: 0, pending: 0 }
      days.set(day, {
        day,
        cents: sum.cents + cents,
        orders: sum.orders + orders,
        listed: sum.listed + listed,
        pending: sum.pending + pending,
      })
    }
    // Two processes write their days in the same order, so that neither waits for the other's.
    for (const [, sum] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await tx
        .insertInto('orderDaySums')
        .values(sum)
        .onConflict((conflict) =>
          conflict.column('day').doUpdateSet((eb) => ({
            cents: eb('orderDaySums.cents', '+', eb.ref('excluded.cents')),
            orders: eb('orderDaySums.orders', '+', eb.ref('excluded.orders')),
            listed: eb('orderDaySums.listed', '+', eb.ref('excluded.listed')),
            pending: eb('orderDaySums.pending', '+', eb.ref('excluded.pending')),
          })),
        )
        .execute()
    }
    return changes.length
  })
}
