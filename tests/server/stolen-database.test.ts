import type { Db } from '#db/engine/client.ts'
import { idOfTime, newId, timeOfId } from '#domain/ids.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { mergeCarts } from '#server/cart/merge-carts.ts'
import { addToCart } from '#server/cart/update-cart.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import type { Context } from '#server/context.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { countUnitsSold } from '#server/inventory/count-units-sold.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { allColumns } from '#tests/support/all-columns.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { buy, openCheckout } from '#tests/support/checkouts.ts'
import { jobParts, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'

const minute = 60_000
const hour = 60 * minute
/**
 * The latest time so far. An id never carries an earlier time than the last one of its process, in
 * which other tests may have set the clock ahead.
 */
let latest = timeOfId(newId())

type Shop = {
  customers: string[]
  admin: string
  /** What tells the order of the sales. */
  replays: string[]
  /** The ids of all products and variants. */
  medicines: string[]
}

const price = 500

/** The order in which the customers buy: neither that of the ids nor its reverse. */
const soldOrder = [5, 2, 7, 0, 3, 6, 1, 4]

/**
 * A shop in which no two customers do anything within the same half hour, so that every time is a
 * person's own. All prices are equal: this test is not about sums of money.
 */
async function fillShop(db: Db): Promise<Shop> {
  const at = (ms: number, overrides: Partial<Context> = {}): Context =>
    testContext(db, { now: new Date(ms), requestId: randomUUID(), ...overrides })
  // Not on the hour: the batches of the ledger have whole hours.
  const catalogTime = Math.ceil(latest / hour) * hour + 100 * hour + 25 * minute
  const medicines: string[] = []
  const variants: string[] = []
  for (let i = 0; i < 12; i++) {
    const createdAt = new Date(catalogTime + i * hour)
    const times = { createdAt, updatedAt: createdAt }
    const productId = idOfTime(createdAt.getTime())
    await sql`insert into products (id, name, sort_name, category, created_at, updated_at)
      values (${productId}, ${`Medicine ${i}`}, ${`medicine ${i}`}, 'OTC', ${createdAt}, ${createdAt})`.execute(
      db,
    )
    const id = idOfTime(createdAt.getTime())
    await addVariant(db, { id, productId, stockQuantity: 0, priceCents: price, ...times })
    medicines.push(productId, id)
    variants.push(id)
  }
  const register = async (ms: number): Promise<string> => {
    const email = `${randomUUID()}@customer.example`
    const names = { firstName: randomUUID(), lastName: null, passwordHash: null, emailConfirmed: true }
    return (await createUser(at(ms), { email, ...names })) ?? ''
  }
  const admin = await register(catalogTime + 50 * hour)
  const asAdmin = (ms: number) => at(ms, { user: signedIn(admin, { isAdmin: true }) })
  for (const [i, variantId] of variants.entries()) {
    // The last one sells out with its only order.
    const quantityChange = i === 4 ? 1 : 20
    const ctx = asAdmin(catalogTime + (100 + i) * hour)
    await adjustStock(ctx, { variantId, quantityChange, transactionType: 'purchase', notes: null })
  }

  const customers: string[] = []
  const orders: string[] = []
  const sold: string[] = []
  // The first customer comes long after the catalog.
  let clock = catalogTime + 1000 * hour + 23_456
  const as = (i: number, ms = clock): Context => at(ms, { user: signedIn(customers[i] ?? '') })
  const variant = (i: number): string => variants[i] ?? ''
  const next = (): number => (clock += 3 * hour + minute)
  for (const [i, index] of soldOrder.entries()) {
    customers.push(await register(next()))
    await startSession(at(next()), { userId: customers[i] ?? '', userAgent: 'a browser' })
    await addToCart(as(i, clock + 10 * minute), null, { variantId: variant(index), quantity: 1 })
    const { order } = await buy(as(i, clock + 20 * minute), variant(index))
    orders.push(order.id)
    sold.push(variant(index))
  }
  // A batch is closed; what follows stays in the ledger's inbox.
  await closeBatches({ ...at(next()), now: () => new Date(clock) }, { customers: customers.length })
  await countUnitsSold(at(clock))
  const replays = findReplays(await dump(db), sold)
  await addPrescription(db, customers[2] ?? '', { now: new Date(next()) })
  // A visitor's cart joins the account at sign-in; another account's cart stays.
  const token = await addToCart(at(next()), null, { variantId: variant(8), quantity: 2 })
  const signIn = at(clock + 5 * minute)
  await startSession(signIn, { userId: customers[6] ?? '', userAgent: 'a browser' })
  await db
    .transaction()
    .execute((tx) =>
      mergeCarts({ ...signIn, db: tx }, { userId: customers[6] ?? '', cartToken: token ?? '' }),
    )
  next()
  await addToCart(as(3), null, { variantId: variant(9), quantity: 1 })
  next()
  await addToCart(as(3), null, { variantId: variant(10), quantity: 1 })
  next()
  await addToCart(at(clock), null, { variantId: variant(11), quantity: 1 })
  // A checkout that expires, a cancelled order, and one that an admin refunds and restocks.
  next()
  await openCheckout(as(5), variant(9))
  next()
  const job = { ...at(clock), now: () => new Date(clock) }
  await reconcileCheckouts(job, jobParts(db), new AbortController().signal)
  next()
  await cancelOrder(as(0), orders[0] ?? '')
  await refundFirstLine(asAdmin(next()), orders[1] ?? '')
  // A customer leaves; two checkouts stay open.
  next()
  await deleteUser(as(7), customers[7] ?? '')
  next()
  await openCheckout(as(4), variant(10))
  next()
  await openCheckout(as(5), variant(9))
  latest = clock
  return { customers, admin, replays, medicines }
}

async function refundFirstLine(ctx: Context, id: string): Promise<void> {
  const { items } = await getAdminOrder(ctx, id)
  const lines = items.map((line) => ({ lineId: line.id, quantity: 1, restock: true }))
  await refundOrder(ctx, { id, key: randomUUID(), lines })
}

type Row = { table: string; cells: unknown[] }

/** Every table in its physical order: what is in the files without any key. */
async function dump(db: Db): Promise<Row[]> {
  const tables = [...new Set((await allColumns(db)).map(({ table }) => table))]
  const rows: Row[] = []
  for (const table of tables.filter((name) => !name.includes('_fts') && !name.startsWith('schema_'))) {
    const found = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    rows.push(...found.rows.map((row) => ({ table, cells: Object.values(row) })))
  }
  return rows
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** A cell's text; nothing of a sealed value can be compared. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString()
  const text = typeof cell === 'string' ? cell : (JSON.stringify(cell) ?? '')
  return text.startsWith('v1.') ? '' : text
}

/** The values that can name the same thing in two rows: ids, hashes and references. */
const keysOf = (row: Row): string[] =>
  row.cells.flatMap((cell) => {
    const text = textOf(cell)
    const ids = text.match(uuids) ?? []
    return /^[\w-]{20,}$/.test(text) ? [text, ...ids] : ids
  })

/** Every time in a row: its columns, numbers of milliseconds, and the beginnings of its ids. */
const timesOf = (row: Row): number[] =>
  row.cells.flatMap((cell) => {
    const text = textOf(cell)
    const inIds = (text.match(uuids) ?? [])
      .filter((id) => id[14] === '7')
      .map((id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
    if (/^\d{13}$/.test(text)) return [Number(text), ...inIds]
    return /^\d{4}-\d\d-\d\dT/.test(text) ? [Date.parse(text), ...inIds] : inIds
  })

/** Times that are at most this far apart belong to one event. */
const near = 2 * minute

/**
 * Walks from a person over every pair of rows that share a value or a time, as far as it leads, and
 * returns the medicines that it reaches, with the way.
 */
function findMedicines(dumped: readonly Row[], person: string, { admin, medicines }: Shop): string[] {
  // What one admin did is the same for every person.
  const rows = dumped.map((row) => ({ ...row, cells: row.cells.filter((cell) => cell !== admin) }))
  const byKey = new Map<string, Row[]>()
  const byTime = new Map<number, Row[]>()
  const add = <K>(map: Map<K, Row[]>, key: K, row: Row) => map.set(key, [...(map.get(key) ?? []), row])
  for (const row of rows) {
    for (const key of keysOf(row)) add(byKey, key, row)
    for (const time of timesOf(row)) add(byTime, Math.floor(time / near), row)
  }
  const ways = new Map<Row, string>((byKey.get(person) ?? []).map((row) => [row, row.table]))
  const found: string[] = []
  for (const [row, way] of ways) {
    const named = keysOf(row).filter((key) => medicines.includes(key))
    found.push(...named.map((medicine) => `${medicine} by ${way}`))
    const keys = keysOf(row).filter((key) => !medicines.includes(key))
    const times = timesOf(row).flatMap((time) => [-1, 0, 1].map((i) => Math.floor(time / near) + i))
    for (const other of [
      ...keys.flatMap((key) => byKey.get(key) ?? []),
      ...times.flatMap((time) => byTime.get(time) ?? []),
    ]) {
      if (!ways.has(other)) ways.set(other, `${way} > ${other.table}`)
    }
  }
  return found
}

/**
 * The orders of rows, of a table's own or by one of its columns, in which the medicines stand as
 * they were sold: laid beside the orders by time, they name each order's medicine.
 */
function findReplays(rows: readonly Row[], sold: readonly string[]): string[] {
  const replays: string[] = []
  for (const table of new Set(rows.map((row) => row.table))) {
    const own = rows.filter((row) => row.table === table)
    for (const column of [null, ...(own[0]?.cells.keys() ?? [])]) {
      const value = (row: Row) => (column === null ? '' : textOf(row.cells[column]))
      const sorted =
        column === null
          ? own
          : own.toSorted((a, b) => {
              const [x, y] = [value(a), value(b)]
              const numeric = Number(x) - Number(y)
              return Number.isNaN(numeric) ? (x < y ? -1 : x > y ? 1 : 0) : numeric
            })
      const sequences = sorted.map((row) => keysOf(row).find((key) => sold.includes(key)) ?? null)
      const values = sorted.filter((_, i) => sequences[i] !== null).map(value)
      if (column !== null && new Set(values).size < values.length) continue
      const text = sequences.filter((medicine) => medicine !== null).join()
      if (text.includes(sold.join()) || text.includes(sold.toReversed().join()))
        replays.push(`${table}, ${column === null ? 'as stored' : `by column ${column}`}`)
    }
  }
  return replays
}

eachEngine((_engine, openDb) => {
  test('a database without its keys links no person to a medicine', async () => {
    const db = await openDb()
    const shop = await fillShop(db)
    const rows = await dump(db)
    const found = shop.customers.flatMap((person) => findMedicines(rows, person, shop))
    expect({ pairs: [...new Set(found)], replays: shop.replays }).toEqual({
      pairs: [],
      replays: [],
    })
  })
})
