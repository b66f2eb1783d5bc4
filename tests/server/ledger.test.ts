import type { Db } from '#db/engine/client.ts'
import { countInbox } from '#db/ledger/sealed-rows.ts'
import { parseCursor } from '#domain/grid.ts'
import { idOfTime } from '#domain/ids.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { listTransactions, listVariantTransactions } from '#server/inventory/list-transactions.ts'
import { createLedgerJob } from '#server/jobs/keep-ledger.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { listLedgerPage } from '#server/ledger/list-ledger-page.ts'
import { sealEarlierRows } from '#server/ledger/seal-earlier-rows.ts'
import { listTopSales } from '#server/ledger/sum-sales.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const hour = 3600_000
const at = (hours: number): Date => new Date(testDay.getTime() + hours * hour)
const ledgerCtx = (db: Db, now: Date) => ({ ...testContext(db), now: () => now })

const adjust = (db: Db, variantId: string, quantityChange: number, now: Date) =>
  adjustStock(asAdmin(db, now), { variantId, quantityChange, transactionType: 'adjustment', notes: null })

/** Adds the first stock of a variant, which is in plaintext, at a time. */
async function addStocked(db: Db, hours: number): Promise<string> {
  const id = await addVariant(db, { stockQuantity: 50 })
  const [rowId, time] = [idOfTime(at(hours).getTime()), at(hours)]
  await db
    .insertInto('inventoryTransactions')
    .values({
      id: rowId,
      productVariantId: id,
      transactionType: 'adjustment',
      quantityChange: 50,
      quantityBefore: 0,
      quantityAfter: 50,
      notes: null,
      createdAt: time,
    })
    .execute()
  return id
}

/** Eight customers' orders of two variants, an hour apart, one cancelled; and an admin's change. */
async function sellSome(db: Db): Promise<string[]> {
  const variants = [await addStocked(db, 0), await addStocked(db, 4.5)]
  for (let i = 0; i < 8; i++) {
    const customer = await asCustomer(db)
    const variantId = variants[i % 2] ?? ''
    const { order } = await buy({ ...customer, now: at(5 + i) }, variantId, { quantity: 1 + i })
    if (i === 3) await cancelOrder({ ...customer, now: at(8.5) }, order.id)
    if (i === 5) await adjust(db, variantId, 10, at(10.5))
  }
  await addStocked(db, 9.25)
  return variants
}

const findings = async (db: Db): Promise<string[]> => {
  const found: string[] = []
  await verifyStock({ db, keys: testKeys }, (sentence) => found.push(sentence))
  return found
}

/** Every list of the ledger, in every way to page through it. */
async function readLists(db: Db, variantId: string) {
  const ctx = asAdmin(db)
  const whole = await listTransactions(ctx, { after: null, limit: 100 })
  const own = await listVariantTransactions(ctx, variantId, { after: null, limit: 100 })
  const paged: InventoryTransaction[] = []
  for (let after: string | null = null; ;) {
    const page = await listTransactions(ctx, { after, limit: 3 })
    paged.push(...page)
    after = page.at(-1)?.id ?? null
    if (page.length < 3) break
  }
  const ids: Record<string, string[]> = {}
  for (const dir of ['asc', 'desc'] as const) {
    const query = { variantId: null, q: '', sort: 'newest', dir, size: 4 }
    const forward: string[] = []
    let page = await listLedgerPage(ctx, query)
    forward.push(...page.rows.map(({ id }) => id))
    while (page.next) {
      page = await listLedgerPage(ctx, { ...query, after: parseCursor(page.next) })
      forward.push(...page.rows.map(({ id }) => id))
    }
    const backward: string[] = []
    page = await listLedgerPage(ctx, { ...query, last: '1' })
    backward.unshift(...page.rows.map(({ id }) => id))
    while (page.previous) {
      page = await listLedgerPage(ctx, { ...query, before: parseCursor(page.previous) })
      backward.unshift(...page.rows.map(({ id }) => id))
    }
    expect(backward).toEqual(forward)
    expect(page.total).toBe(forward.length)
    ids[dir] = forward
  }
  expect(paged).toEqual(whole)
  expect(ids['desc']).toEqual(whole.map(({ id }) => id))
  expect(ids['asc']).toEqual(whole.map(({ id }) => id).toReversed())
  const top = await listTopSales(ctx, { before: at(0), from: at(8), to: at(24) }, 5)
  const sales = top.map(({ units, previousUnits }) => [units, previousUnits])
  return { whole, own, sales }
}

eachEngine((_engine, openDb, openWithUrl) => {
  test('closing batches changes no list, sum or check, however the ledger is paged through', async () => {
    const db = await openDb()
    const [first = ''] = await sellSome(db)
    const open = await readLists(db, first)
    expect(open.whole).toHaveLength(3 + 8 + 1 + 1)
    const times = open.whole.map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(open.own.map((row) => row.quantityAfter)).toEqual([34, 41, 46, 49, 50])
    // The second variant’s product, then the first’s.
    expect(open.sales).toEqual([
      [4 - 4 + 6 + 8, 2],
      [5 + 7, 1 + 3],
    ])

    const before = await findings(db)
    // Too few customers for one batch; then for two of three each.
    const inbox = await countInbox(db)
    expect(await closeBatches(ledgerCtx(db, at(24)), { customers: 9 })).toBe(inbox + 1)
    expect(await countInbox(db)).toBe(inbox)
    expect(await closeBatches(ledgerCtx(db, at(24)), { customers: 3 })).toBe((await countInbox(db)) + 1)
    expect(await db.selectFrom('ledgerBatches').select('id').execute()).toHaveLength(2)
    expect(await readLists(db, first)).toEqual(open)
    expect(await findings(db)).toEqual(before)
    await closeBatches(ledgerCtx(db, at(25)), { customers: 1 })
    expect(await countInbox(db)).toBe(0)
    expect(await readLists(db, first)).toEqual(open)
    // No plaintext time is an order's own.
    const spans = await db.selectFrom('ledgerBatches').select(['fromAt', 'toAt']).execute()
    for (const time of spans.flatMap(({ fromAt, toAt }) => [fromAt, toAt]))
      expect(time.getTime() % hour).toBe(0)
  })

  test('a batch is closed by one of two processes', async () => {
    const { db, openAgain } = await openWithUrl()
    const [first = ''] = await sellSome(db)
    const { whole } = await readLists(db, first)
    const closing = [db, openAgain()].map((one) => closeBatches(ledgerCtx(one, at(24)), { customers: 3 }))
    await Promise.all(closing)
    expect((await readLists(db, first)).whole).toEqual(whole)
  })

  test('the rows of an earlier shop are sealed once, all but the first of each variant', async () => {
    const db = await openDb()
    const [first = ''] = await sellSome(db)
    const before = await readLists(db, first)
    // As before migration 0027: in plaintext, with the times of their orders in their ids.
    const earlier = before.whole.toReversed()
    await sql`delete from ledger_inbox`.execute(db)
    await db.deleteFrom('inventoryTransactions').execute()
    for (const row of earlier) {
      const id = idOfTime(row.createdAt.getTime())
      await db
        .insertInto('inventoryTransactions')
        .values({ ...row, id })
        .execute()
    }
    const unnamed = (rows: readonly InventoryTransaction[]) => rows.map((row) => ({ ...row, id: '' }))
    const checks = await findings(db)
    const job = createLedgerJob(ledgerCtx(db, at(24)))
    const { signal } = new AbortController()
    expect(unnamed((await readLists(db, first)).whole)).toEqual(unnamed(before.whole))
    await sealEarlierRows(ledgerCtx(db, at(24)), { customers: 2, signal })
    await job(signal)
    const sealed = await readLists(db, first)
    expect(unnamed(sealed.whole)).toEqual(unnamed(before.whole))
    expect(unnamed(sealed.own)).toEqual(unnamed(before.own))
    expect(sealed.sales).toEqual(before.sales)
    expect(await db.selectFrom('inventoryTransactions').select('quantityBefore').execute()).toEqual(
      Array.from({ length: 3 }, () => ({ quantityBefore: 0 })),
    )
    // New sales follow in the same chain.
    await buy({ ...(await asCustomer(db)), now: at(30) }, first)
    expect((await ledgerOf(db, first)).map((row) => row.quantityAfter)).toEqual([50, 49, 46, 41, 34, 33])
    expect(await findings(db)).toEqual(checks)
  })

  test('the ledger of a variant is one chain, even when one clock is a minute behind', async () => {
    const { db, openAgain } = await openWithUrl()
    const secondConnection = openAgain()
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const clock = testDay.getTime()
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2 === 0
          ? adjust(db, id, i + 1, new Date(clock + i))
          : adjust(secondConnection, id, i + 1, new Date(clock - 60_000 + i)),
      ),
    )
    const rows = await ledgerOf(db, id)
    expect(rows).toHaveLength(50)
    let after = 0
    for (const row of rows) {
      expect(row.quantityBefore).toBe(after)
      after = row.quantityAfter
    }
    expect(after).toBe((50 * 51) / 2)
    expect(await findings(db)).toEqual([])
  })
})
