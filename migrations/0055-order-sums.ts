import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What an order adds to its day: `listed` and `pending` are without those of deleted users. */
const sums = ['cents', 'orders', 'listed', 'pending']

/** The figures of an order's row, as values in the order of `sums`. */
const figures = (row: 'old' | 'new' | 'orders', sign: '' | '-' = '') =>
  sql.raw(
    [
      `(${row}.captured_cents - ${row}.refunded_cents)`,
      '1',
      `(case when ${row}.user_id is not null then 1 else 0 end)`,
      `(case when ${row}.user_id is not null and ${row}.status = 'processing' then 1 else 0 end)`,
    ]
      .map((figure) => sign + figure)
      .join(', '),
  )

/**
 * The sums of the orders by day, so that the dashboard reads days and not orders. A trigger appends
 * what each change adds, in its transaction; a job folds these rows into their days. Writers never
 * wait for each other's day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const number = isPostgres ? 'bigint' : 'integer'
  // `YYYY-MM-DD`, UTC.
  let days = db.schema.createTable('order_day_sums').addColumn('day', text, (col) => col.primaryKey())
  let changes = db.schema
    .createTable('order_sum_changes')
    .addColumn('id', number, (col) => (isPostgres ? col.generatedAlwaysAsIdentity() : col).primaryKey())
    .addColumn('day', text, (col) => col.notNull())
  for (const sum of sums) {
    days = days.addColumn(sum, number, (col) => col.notNull())
    changes = changes.addColumn(sum, number, (col) => col.notNull())
  }
  await days.execute()
  await changes.execute()

  const dayOf = (row: string) =>
    sql.raw(
      isPostgres
        ? `to_char(${row}.created_at at time zone 'UTC', 'YYYY-MM-DD')`
        : `substr(${row}.created_at, 1, 10)`,
    )
  const add = (...rows: ('old' | 'new')[]) =>
    sql`insert into order_sum_changes (day, ${sql.join(sums.map((sum) => sql.ref(sum)))})
      values ${sql.join(rows.map((row) => sql`(${dayOf(row)}, ${figures(row, row === 'old' ? '-' : '')})`))};`
  const changed = sql.raw(
    ['captured_cents', 'refunded_cents', 'user_id', 'status', 'created_at']
      .map((column) => `old.${column} is ${isPostgres ? 'distinct from' : 'not'} new.${column}`)
      .join(' or '),
  )
  const events = [
    { event: 'insert', when: sql``, body: add('new') },
    { event: 'delete', when: sql``, body: add('old') },
    { event: 'update', when: sql`when (${changed})`, body: add('old', 'new') },
  ]
  for (const { event, when, body } of events) {
    const name = sql.id(`orders_sums_${event}`)
    const timing = sql`after ${sql.raw(event)} on orders for each row`
    if (!isPostgres) {
      await sql`create trigger ${name} ${timing} ${when} begin ${body} end`.execute(db)
      continue
    }
    await sql`create function ${sql.id(`note_order_${event}`)}() returns trigger language plpgsql as
      $$ begin ${body} return null; end $$`.execute(db)
    await sql`create trigger ${name} ${timing} ${when}
      execute function ${sql.id(`note_order_${event}`)}()`.execute(db)
  }
  // After the triggers: on Postgres they lock out writers, so that no order is in neither or both.
  await sql`insert into order_day_sums
    with added (day, cents, orders, listed, pending) as (
      select ${dayOf('orders')}, ${figures('orders')} from orders
    )
    select day, sum(cents), sum(orders), sum(listed), sum(pending) from added group by day`.execute(db)
}
