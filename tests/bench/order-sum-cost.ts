import { getEngine, type Db } from '#db/engine/client.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { readCpuMs } from '#tests/support/process-facts.ts'
import { sql } from 'kysely'

const orders = 5000
const rounds = 5

/** Microseconds for each order. */
type Cost = { timeUs: number; cpuUs: number }

/**
 * Prints what the triggers of the sums by day cost for each order: the same rows are inserted and
 * shipped with and without them, in turns. Everything is rolled back.
 */
export async function measureOrderSums(url: string): Promise<void> {
  const db = openTestDatabase(url)
  try {
    const costs: Record<'with' | 'without', Cost[]> = { with: [], without: [] }
    for (let round = 0; round < rounds; round++) {
      costs.with.push(await writeAndUndo(db, true))
      costs.without.push(await writeAndUndo(db, false))
    }
    const format = ({ timeUs, cpuUs }: Cost): string => `${timeUs.toFixed(1)} (${cpuUs.toFixed(1)} of CPU)`
    const [slow, fast] = [median(costs.with), median(costs.without)]
    console.log(
      `sums by day, µs to insert and ship an order: ${format(slow)} with their triggers, ${format(fast)} without`,
    )
  } finally {
    await db.destroy()
  }
}

const middle = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
const median = (costs: readonly Cost[]): Cost => ({
  timeUs: middle(costs.map(({ timeUs }) => timeUs)),
  cpuUs: middle(costs.map(({ cpuUs }) => cpuUs)),
})

async function writeAndUndo(db: Db, withTriggers: boolean): Promise<Cost> {
  let cost: Cost = { timeUs: 0, cpuUs: 0 }
  const undo = new Error('undo')
  await db
    .transaction()
    .execute(async (tx) => {
      if (!withTriggers) await removeTriggers(tx)
      const readCpu = await cpuReader(tx)
      const [started, before] = [performance.now(), readCpu()]
      await writeOrders(tx)
      cost = {
        timeUs: (1000 * (performance.now() - started)) / orders,
        cpuUs: (1000 * (readCpu() - before)) / orders,
      }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return cost
}

async function removeTriggers(tx: Db): Promise<void> {
  if (getEngine(tx) === 'postgres') {
    await sql`alter table orders disable trigger user`.execute(tx)
    return
  }
  for (const event of ['insert', 'delete', 'update'])
    await sql`drop trigger ${sql.id(`orders_sums_${event}`)}`.execute(tx)
}

/** SQLite works in this process, Postgres in the one of this connection. */
async function cpuReader(tx: Db): Promise<() => number> {
  if (getEngine(tx) === 'sqlite') {
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
  }
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  const pid = rows[0]?.pid ?? 0
  return () => readCpuMs(pid)
}

async function writeOrders(tx: Db): Promise<void> {
  // Before all real ids, so that a partitioned table takes them too.
  const added = sql`'00' || id`
  await sql`insert into orders (id, user_id, checkout_id, payment_id, status, total_cents, has_rx,
      sealed_order, created_at, updated_at, captured_cents)
    select ${added}, user_id, '00' || checkout_id, '00' || payment_id,
      'processing', total_cents, has_rx, sealed_order, created_at, updated_at, captured_cents
    from orders order by id desc limit ${sql.lit(orders)}`.execute(tx)
  await sql`update orders set status = 'shipped' where id >= '00' and id < '01'`.execute(tx)
}
