import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { requestCapture } from '#server/orders/request-capture.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { verifyFills, type FillsSummary } from '#server/reviews/verify-fills.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy, openCheckout } from '#tests/support/checkouts.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { runCommand } from '#tests/support/commands.ts'
import { addItem, markCleared } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const dayMs = 24 * 3600 * 1000
const after = (days: number): Date => new Date(testDay.getTime() + days * dayMs)

async function verify(db: Db): Promise<FillsSummary & { messages: string[] }> {
  const messages: string[] = []
  const summary = await verifyFills({ db, keys: testKeys }, (sentence) => void messages.push(sentence))
  return { ...summary, messages }
}

/** Captures what was requested, as the job does. */
const processAllHolds = (db: Db, now: Date): Promise<void> => {
  const { log, keys } = testContext(db)
  return processHolds({ db, log, keys, now: () => now }, jobParts(db), new AbortController().signal)
}

async function ship(customer: Context, orderId: string): Promise<void> {
  const { db, now } = customer
  await markCleared(db, orderId, now)
  await requestCapture(customer, orderId)
  await processAllHolds(db, now)
  const staff = signedIn('019a7c1e-0000-7000-8000-0000000000ad', { roles: ['fulfillment'] })
  await setOrderStatus(testContext(db, { user: staff, now }), orderId, { status: 'shipped' })
}

type World = { shipped: string; waiting: string; items: [string, string] }

/**
 * A customer with two items: one dispensed a month ago and reserved again by an open checkout, one
 * with an order that waits for a pharmacist and one that was cancelled.
 */
async function seedShop(db: Db): Promise<World> {
  const customer = await asCustomer(db)
  const userId = customer.user?.id ?? ''
  const packs = async (name: string) => {
    const productId = await addProduct(db, { name, category: 'Rx', ingredients: name })
    return addVariant(db, { productId, genericName: name, packageSize: 30 })
  }
  const variants = [await packs('Lisinopril'), await packs('Metformin')] as const
  const addOne = async (variantId: string, refills: number) => {
    const { id: prescriptionId } = await addPrescription(db, userId)
    return addItem(db, { userId, prescriptionId, variantId, unitsPerFill: 30, refills })
  }
  const items: World['items'] = [await addOne(variants[0], 1), await addOne(variants[1], 0)]
  const { order: first } = await buy(customer, variants[0])
  await ship(customer, first.id)
  const later = { ...customer, now: after(40) }
  const { order: cancelled } = await buy(later, variants[1])
  await cancelOrder(later, cancelled.id)
  await processAllHolds(db, later.now)
  const { order: second } = await buy(later, variants[1])
  await openCheckout(later, variants[0])
  return { shipped: first.id, waiting: second.id, items }
}

const copiedTables = [
  'prescription_items',
  'fills',
  'line_reviews',
  'payment_holds',
  'checkouts',
  'orders',
] as const
const changedColumns = [
  ['checkouts', 'status'],
  ['orders', 'status'],
  ['orders', 'captured_cents'],
  ['prescription_items', 'sealed_item'],
] as const

async function copyTables(db: Db): Promise<void> {
  for (const name of copiedTables)
    await sql`create table ${sql.table(`kept_${name}`)} as select * from ${sql.table(name)}`.execute(db)
}

async function restoreTables(db: Db): Promise<void> {
  for (const name of ['fills', 'line_reviews', 'payment_holds']) {
    await sql`delete from ${sql.table(name)}`.execute(db)
    await sql`insert into ${sql.table(name)} select * from ${sql.table(`kept_${name}`)}`.execute(db)
  }
  for (const [table, column] of changedColumns) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = (select ${sql.ref(`k.${column}`)}
      from ${sql.table(`kept_${table}`)} k where k.id = ${sql.ref(`${table}.id`)})`.execute(db)
  }
}

/** What someone without the shop's keys, or a defect, could do to the rows. */
const tampering: Record<string, (world: World) => [ReturnType<typeof sql>[], RegExp[]]> = {
  'a fill that was copied to another line': ({ items }) => [
    [
      sql`insert into fills select 'copy', item_id, checkout_id, order_id, 'another line', 'dispensed', sealed_fill,
        pharmacist_id, created_at, cleared_at, dispensed_at, released_at from fills where item_id = ${items[0]}
        and status = 'dispensed'`,
    ],
    [/^Fill copy could not be decrypted\.$/, /fill copy is not for any of its prescription lines\.$/],
  ],
  'a released fill that counts again': ({ items }) => [
    [
      sql`update fills set status = 'reserved', order_id = null, line_id = 'another' where item_id = ${items[1]}
        and status = 'released'`,
    ],
    [
      /its checkout has ended without an order\.$/,
      /^Item \S+: its fills have 60 units, but 30 are authorized\.$/,
    ],
  ],
  'a fill that was moved to another item': ({ items }) => [
    [sql`update fills set item_id = ${items[1]} where item_id = ${items[0]} and status = 'dispensed'`],
    [
      /^Item \S+: its fills have 60 units, but 30 are authorized\.$/,
      /its ingredients differ from its item’s\.$/,
      /which its review does not name\.$/,
    ],
  ],
  'an item that was changed': ({ items }) => [
    [sql`update prescription_items set sealed_item = 'v1.changed' where id = ${items[0]}`],
    [
      /^Item \S+ could not be decrypted\.$/,
      /its item belongs to another customer\.$/,
      /its item belongs to another customer\.$/,
    ],
  ],
  'a checkout that ended without releasing its fill': () => [
    [sql`update checkouts set status = 'cancelled' where status = 'open'`],
    [/its checkout has ended without an order\.$/],
  ],
  'a shipped line without a fill': ({ shipped }) => [
    [sql`delete from fills where order_id = ${shipped}`],
    [/left the pharmacy, but its fill is missing\.$/],
  ],
  'a shipped line that nobody reviewed': ({ shipped }) => [
    [sql`delete from line_reviews where order_id = ${shipped}`],
    [/has no review\.$/],
  ],
  'a shipped line that nobody cleared': ({ shipped }) => [
    [sql`update line_reviews set status = 'waiting' where order_id = ${shipped}`],
    [/has a dispensed fill, but its review says waiting\.$/],
  ],
  'a line that its patient cleared': ({ shipped }) => [
    [
      sql`update line_reviews set decided_by = (select user_id from orders where orders.id = order_id)
        where order_id = ${shipped}`,
    ],
    [/was cleared by its own patient\.$/],
  ],
  'a line that was cleared without its fill': ({ waiting }) => [
    [sql`update line_reviews set status = 'cleared' where order_id = ${waiting}`],
    [/is cleared, but its fill is reserved\.$/],
  ],
  'an order that was shipped without a clearance': ({ waiting }) => [
    [sql`update orders set status = 'delivered' where id = ${waiting}`],
    [/left the pharmacy, but its fill is reserved\.$/, /it is delivered, but its payment is authorized\.$/],
  ],
  'a capture that no lines explain': ({ shipped }) => [
    [
      sql`update payment_holds set captured_cents = 499 where order_id = ${shipped}`,
      sql`update orders set captured_cents = 499 where id = ${shipped}`,
    ],
    [/499 cents were captured, but the lines that were not refused are 500\.$/],
  ],
  'an order that says another amount': ({ shipped }) => [
    [sql`update orders set captured_cents = 0 where id = ${shipped}`],
    [/it says that 0 cents were captured, its payment 500\.$/],
  ],
  'an authorization that was lost': ({ waiting }) => [
    [sql`delete from payment_holds where order_id = ${waiting}`],
    [/its payment was not authorized first\.$/],
  ],
}

eachEngine((_engine, openDb, openWithUrl) => {
  test('a shop’s normal operations have no findings', async () => {
    const db = await openDb()
    await seedShop(db)
    expect(await verify(db)).toEqual({ items: 2, fills: 4, orders: 3, findings: 0, messages: [] })
  })

  test('every tampering is found, and nothing else', { timeout: 60_000 }, async () => {
    const db = await openDb()
    const world = await seedShop(db)
    await copyTables(db)
    for (const [what, tamper] of Object.entries(tampering)) {
      const [statements, sentences] = tamper(world)
      for (const statement of statements) await statement.execute(db)
      const { messages } = await verify(db)
      expect(messages, what).toHaveLength(sentences.length)
      for (const sentence of sentences) expect(messages, what).toContainEqual(expect.stringMatching(sentence))
      await restoreTables(db)
      expect((await verify(db)).messages, `after ${what}`).toEqual([])
    }
  })

  test('the command prints its counts and exits 1 on a finding', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    await seedShop(db)
    const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
    const run = () =>
      runCommand('fills-verify', { env: { DATABASE_URL: url, ENCRYPTION_KEYS, SESSION_SECRET } })
    expect(await run()).toMatchObject({ code: 0, out: 'items=2 fills=4 orders=3 findings=0\n', err: '' })
    await db.updateTable('checkouts').set({ status: 'cancelled' }).where('status', '=', 'open').execute()
    expect(await run()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/findings=1\n$/),
      err: expect.stringMatching(/^Fill \S+: its checkout has ended without an order\.\n$/),
    })
  })
})
