import type { Db } from '#db/engine/client.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { verifyStock, type StockSummary } from '#server/checkout/verify-stock.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { hashVariant } from '#server/ledger/sealed-ledger.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy, openCheckout } from '#tests/support/checkouts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testKeys } from '#tests/support/context.ts'
import { runCommand, type CommandResult } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { sql } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'

async function verify(db: Db): Promise<StockSummary & { messages: string[] }> {
  const messages: string[] = []
  const summary = await verifyStock({ db, keys: testKeys }, (sentence) => void messages.push(sentence))
  return { ...summary, messages }
}

const adjust = (db: Db, variantId: string, quantityChange: number) =>
  adjustStock(asAdmin(db), {
    variantId,
    quantityChange,
    transactionType: 'adjustment',
    notes: null,
  })

/** A variant with 20 units from five ledger rows. */
async function stocked(db: Db): Promise<string> {
  const id = await addVariant(db, { stockQuantity: 0, inStock: false })
  for (const change of [5, 6, -1, 7, 3]) await adjust(db, id, change)
  return id
}

type World = {
  sold: string
  other: string
  /** A variant whose ledger is still in the inbox. */
  recent: string
  /** The ids of the five ledger rows of `other`. */
  rows: string[]
}

/**
 * Three tracked variants: one with two orders (one cancelled) and an open checkout, two without
 * sales, one of them in the inbox of the ledger. And an untracked one with an order.
 */
async function seedShop(db: Db, { closes = true } = {}): Promise<World> {
  const [sold, other] = [await stocked(db), await stocked(db)]
  const untracked = await addVariant(db, { stockQuantity: 0, trackInventory: false })
  const later = { now: new Date(testDay.getTime() + 60_000) }
  const [customer, second] = [await asCustomer(db, later), await asCustomer(db)]
  await buy(customer, sold, { quantity: 2 })
  const { order } = await buy(customer, sold, { quantity: 3 })
  await cancelOrder(customer, order.id)
  await buy(customer, untracked, { quantity: 4 })
  if (closes) await closeBatches({ db, keys: testKeys, now: () => testDay }, { customers: 1 })
  await openCheckout(second, sold, { quantity: 4 })
  const recent = await stocked(db)
  return { sold, other, recent, rows: (await ledgerOf(db, other)).map(({ id }) => id) }
}

const copiedTables = ['product_variants', 'ledger_inbox', 'ledger_rows', 'checkouts', 'orders'] as const

/** Copies the tables that the cases tamper with, so that every case shares one setup. */
async function copyTables(db: Db): Promise<void> {
  for (const name of copiedTables)
    await sql`create table ${sql.table(`kept_${name}`)} as select * from ${sql.table(name)}`.execute(db)
}

async function restoreTables(db: Db): Promise<void> {
  for (const name of ['ledger_inbox', 'ledger_rows', 'orders']) {
    await sql`delete from ${sql.table(name)}`.execute(db)
    await sql`insert into ${sql.table(name)} select * from ${sql.table(`kept_${name}`)}`.execute(db)
  }
  await sql`update checkouts set status = (select status from kept_checkouts k where k.id = checkouts.id)`.execute(
    db,
  )
  for (const column of ['stock_quantity', 'reserved_quantity']) {
    await sql`update product_variants set ${sql.ref(column)} =
      (select ${sql.ref(`k.${column}`)} from kept_product_variants k where k.id = product_variants.id)`.execute(
      db,
    )
  }
}

/** Tampering that the table's constraints allow, by someone without the shop's keys. */
const tampering: Record<string, (world: World) => [ReturnType<typeof sql>[], RegExp[]]> = {
  'stock that was changed past the ledger': ({ other }) => [
    [sql`update product_variants set stock_quantity = 21 where id = ${other}`],
    [/the ledger ends at 20, but the stock is 21\.$/],
  ],
  'a row that was changed': ({ rows }) => [
    [sql`update ledger_rows set sealed_row = 'v1.changed' where id = ${rows[3]}`],
    [/its ledger row \S+ could not be decrypted\.$/, /the ledger breaks at \S+ \(rows: 1\)\.$/],
  ],
  'a row that was deleted from the middle': ({ rows }) => [
    [sql`delete from ledger_rows where id = ${rows[2]}`],
    [/the ledger breaks at \S+ \(rows: 1\)\.$/],
  ],
  'the first row deleted': ({ rows }) => [
    [sql`delete from ledger_rows where id = ${rows[0]}`],
    [/the ledger breaks at \S+ \(rows: 1\)\.$/],
  ],
  'the last row deleted': ({ rows }) => [
    [sql`delete from ledger_rows where id = ${rows[4]}`],
    [/the ledger ends at 17, but the stock is 20\.$/],
  ],
  'a whole ledger deleted': ({ rows }) => [
    [sql`delete from ledger_rows where id in (${sql.join(rows)})`],
    [/the ledger ends at 0, but the stock is 20\.$/],
  ],
  'a row that was copied': ({ rows }) => [
    [
      sql`insert into ledger_rows (id, batch_id, variant_hash, sealed_row)
        select 'zzz', batch_id, variant_hash, sealed_row from ledger_rows where id = ${rows[4]}`,
    ],
    [/its ledger row zzz could not be decrypted\.$/],
  ],
  'a row that was put on another variant': ({ sold, rows }) => [
    [sql`update ledger_rows set variant_hash = ${hashVariant(testKeys, sold)} where id = ${rows[4]}`],
    [/its ledger row \S+ could not be decrypted/, /the ledger ends at 17, but the stock is 20/],
  ],
  'a row that was put on no variant': ({ rows }) => [
    [sql`update ledger_rows set variant_hash = 'none' where id = ${rows[4]}`],
    [/the ledger ends at 17, but the stock is 20/, /^1 ledger rows belong to no variant\.$/],
  ],
  'a new row that was changed': () => [
    [
      sql`update ledger_inbox set sealed_changes = 'v1.changed' where id = (select min(id) from ledger_inbox)`,
    ],
    [/^Ledger row \S+ could not be decrypted\.$/, /the ledger (breaks|ends) at/],
  ],
  'reserved stock that no checkout holds': ({ other }) => [
    [sql`update product_variants set reserved_quantity = 1 where id = ${other}`],
    [/1 are reserved, but checkouts hold 0\.$/],
  ],
  'a checkout that went without giving back what it held': () => [
    [sql`update checkouts set status = 'cancelled' where status = 'open'`],
    [/4 are reserved, but checkouts hold 0\.$/],
  ],
  'an order that was deleted': () => [
    [
      sql`delete from orders where restocked_at is null and sealed_order = (select min(sealed_order) from orders
      where restocked_at is null and total_cents = 1000)`,
    ],
    [/the ledger has 5 sold, but orders have 3\.$/],
  ],
  'a cancelled order that was marked as never given back': () => [
    [sql`update orders set restocked_at = null`],
    [/the ledger has 3 returned, but cancelled orders have 0\.$/],
  ],
  'an order whose content was changed': () => [
    [sql`update orders set sealed_order = 'v1.changed' where total_cents = 1000`],
    [/^Order \S+ could not be decrypted\.$/, /the ledger has 5 sold, but orders have 3\.$/],
  ],
}

eachEngine((_engine, openDb, openWithUrl) => {
  test('a shop’s normal operations have no findings', async () => {
    const db = await openDb()
    await seedShop(db)
    expect(await verify(db)).toEqual({
      variants: 4,
      transactions: 18,
      orders: 3,
      checkouts: 1,
      explained: 0,
      findings: 0,
      messages: [],
    })
  })

  test('every tampering is found, and nothing else', { timeout: 60_000 }, async () => {
    const db = await openDb()
    const world = await seedShop(db)
    await copyTables(db)
    for (const [what, tamper] of Object.entries(tampering)) {
      const [statements, sentences] = tamper(world)
      for (const statement of statements) await statement.execute(db)
      const { messages, findings } = await verify(db)
      expect(findings, what).toBe(messages.length)
      expect(messages, what).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
      await restoreTables(db)
      expect((await verify(db)).messages, `after ${what}`).toEqual([])
    }
  })

  test('it has no findings beside a shop that sells, adjusts and cancels', async () => {
    const { db, openAgain } = await openWithUrl()
    const ids = [await stocked(db), await stocked(db)]
    const own = openAgain()
    const ended = { yet: false }
    const works = ids.map(async (id) => {
      const customer = await asCustomer(db)
      for (let i = 0; i < 12; i++) {
        await adjust(db, id, 3)
        const { order } = await buy(customer, id, { quantity: 2 })
        if (i % 3 === 0) await cancelOrder(customer, order.id)
        await openCheckout(customer, id, { quantity: 1 })
        await turn()
      }
    })
    const working = Promise.all(works).finally(() => (ended.yet = true))
    let looks = 0
    while (!ended.yet) {
      expect((await verify(own)).messages).toEqual([])
      looks++
      await turn()
    }
    await working
    expect(looks).toBeGreaterThan(1)
    // The last snapshot has been released.
    expect(await verify(own)).toMatchObject({ orders: 24, checkouts: 2, findings: 0 })
  })

  test('the command prints its counts and exits 1 on a finding', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    // The command has another key of the blind indexes than the test.
    const { other } = await seedShop(db, { closes: false })
    const right = await runVerify(url)
    expect(right).toEqual({
      code: 0,
      signal: null,
      database: expect.stringMatching(/^Database: (SQLite|Postgres), /),
      out: 'variants=4 transactions=18 orders=3 checkouts=1 explained=0 findings=0\n',
      err: '',
    })
    await sql`update product_variants set stock_quantity = 21 where id = ${other}`.execute(db)
    const wrong = await runVerify(url)
    expect(wrong).toMatchObject({
      code: 1,
      err: `Variant ${other}: the ledger ends at 20, but the stock is 21.\n`,
    })
    expect(wrong.out).toMatch(/findings=1\n$/)
  })
})

const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
const runVerify = (url: string): Promise<CommandResult> =>
  runCommand('stock-verify', { env: { DATABASE_URL: url, ENCRYPTION_KEYS, SESSION_SECRET } })
