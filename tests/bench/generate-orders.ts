import { sql } from 'kysely'
import { chainPending, insertAudits, type AuditRow } from '#db/audit/audit.ts'
import { addUnitsSold } from '#db/catalog/product-summaries.ts'
import { jsonRows } from '#db/engine/json-rows.ts'
import type { Db } from '#db/engine/client.ts'
import { listSellableVariants } from '#db/seed/order-stock.ts'
import { emptyProfile } from '#domain/accounts/accounts.ts'
import { formatAddress } from '#domain/accounts/addresses.ts'
import { sumLines, type FrozenLine } from '#domain/checkout/checkout.ts'
import { idOfTime, newId } from '#domain/ids.ts'
import { batchCustomers, type LedgerChange } from '#domain/ledger/ledger.ts'
import { estimateDelivery } from '#domain/orders/orders.ts'
import { seededRandom } from '#domain/seeded-random.ts'
import { hashEmail } from '#server/accounts/blind-indexes.ts'
import { hashPerson } from '#server/accounts/find-customers.ts'
import { sealEmail, sealName, sealProfile } from '#server/accounts/sealed-user.ts'
import { createLinkHash } from '#server/audit/chain-hash.ts'
import { freezeLines } from '#server/checkout/freeze-lines.ts'
import { hashCustomer, sealCheckout } from '#server/checkout/sealed-checkout.ts'
import type { Context } from '#server/context.ts'
import { createUserKey } from '#server/crypto/user-key.ts'
import { storeBatch } from '#server/ledger/close-batches.ts'
import { newOrder } from '#server/orders/new-order.ts'
import { randomUUID } from 'node:crypto'
import { medicineName } from './generate-directory.ts'

const dayMs = 24 * 3600 * 1000
const spanMs = 730 * dayMs
const ordersPerCustomer = 10
const rowsPerBatch = 480
const minutesHeld = 15

/** What is sold: a medicine as a checkout freezes it, and its stock now. */
type Sold = { line: FrozenLine; stock: number; sequence: number; sold: number }
type Customer = { id: string; name: string; email: string; hash: string; address: string }

/**
 * Writes orders of the last two years as the shop writes them, in set-based statements: customers
 * with their keys and search tokens, checkouts, orders, status events, the sealed ledger with the
 * stock, units sold, and the chained audit log. Every sealed column opens with the shop's keys.
 * There are no refunds, prescriptions, emails or rows of a payment provider.
 */
export async function generateOrders(
  ctx: Context,
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const random = seededRandom('meridian-scale-orders')
  const start = new Date(ctx.now.getTime() - spanMs)
  const customers = await writeCustomers({ ...ctx, now: start }, Math.ceil(count / ordersPerCustomer))
  const sold = await stockUp({ ...ctx, now: start }, Math.max(100, Math.ceil(count / 50)), 20)
  for (let first = 0; first < count; first += rowsPerBatch) {
    const places = Array.from({ length: Math.min(rowsPerBatch, count - first) }, (_, i) => first + i)
    const orders = places.map((place) => {
      const at = new Date(start.getTime() + Math.floor((spanMs * place) / count))
      // A customer orders again only after all others, so that every batch has enough of them.
      const customer = customers[place % customers.length]
      const lines = new Map<Sold, number>()
      for (let i = random.chance(0.4) ? 2 : 1; i > 0; i--) {
        const item = sold[Math.floor(sold.length * (random.below(1_000_000) / 1_000_000) ** 2)]
        if (item) lines.set(item, 1 + random.below(2))
      }
      if (!customer) throw new Error('There are no customers.')
      return toOrder(ctx, { place, at, customer, lines: [...lines] })
    })
    await ctx.db.transaction().execute(async (db) => {
      await db
        .insertInto('checkouts')
        .values(orders.map(({ checkout }) => checkout))
        .execute()
      await db
        .insertInto('orders')
        .values(orders.map(({ order }) => order))
        .execute()
      const events = orders.flatMap((one) => one.events)
      if (events.length > 0) await db.insertInto('orderEvents').values(events).execute()
      await insertAudits(
        db,
        orders.flatMap(({ audits }) => audits),
      )
      for (let i = 0; i < orders.length; i += batchCustomers) {
        const batch = orders.slice(i, i + batchCustomers)
        const now = batch.at(-1)?.order.createdAt ?? start
        await storeBatch(
          { db, keys: ctx.keys, now },
          batch.flatMap(({ changes }) => changes),
        )
      }
    })
    await chainAll(ctx)
    const done = first + orders.length
    if (Math.floor((10 * done) / count) > Math.floor((10 * first) / count)) onProgress(done)
  }
  await saveStock(ctx.db, sold)
}

type Plan = { place: number; at: Date; customer: Customer; lines: readonly (readonly [Sold, number])[] }

function toOrder(ctx: Context, { place, at, customer, lines: planned }: Plan) {
  const changes: LedgerChange[] = []
  const lines = planned.map(([item, quantity]): FrozenLine => {
    changes.push(moveStock(item, { change: -quantity, type: 'sale', at, notes: null }))
    item.sold += quantity
    return { ...item.line, id: newId(at.getTime()), quantity }
  })
  const shipTo = { text: customer.address, parts: null }
  const content = { name: customer.name, email: customer.email }
  const [id, checkoutId] = [newId(at.getTime()), newId(at.getTime())]
  const paymentId = `pi_${randomUUID().replaceAll('-', '')}`
  const totalCents = sumLines(lines)
  const isShipped = at.getTime() < ctx.now.getTime() - dayMs
  const isDelivered = at.getTime() < ctx.now.getTime() - 4 * dayMs
  const status = isDelivered ? 'delivered' : isShipped ? 'shipped' : 'processing'
  const events = [
    ...(isShipped ? ['shipped' as const] : []),
    ...(isDelivered ? ['delivered' as const] : []),
  ].map((change, i) => ({
    id: idOfTime(at.getTime() + (1 + 3 * i) * dayMs),
    orderId: id,
    status: change,
    actorId: null,
    at: new Date(at.getTime() + (1 + 3 * i) * dayMs),
  }))
  const row = {
    id,
    userId: customer.id,
    checkoutId,
    paymentId,
    prescriptionId: null,
    status,
    totalCents,
    capturedCents: totalCents,
    hasRx: false,
    estimatedDelivery: estimateDelivery(at, { isDomestic: true }),
    createdAt: at,
    updatedAt: events.at(-1)?.at ?? at,
  } as const
  const audit = (action: AuditRow['action'], when: Date, actorId: string | null): AuditRow => ({
    id: idOfTime(when.getTime()),
    actorId,
    subjectId: customer.id,
    action,
    objectId: id,
    requestId: `bench-${place}`,
    at: when,
  })
  const checkout = { userId: customer.id, lines, shipTo, prescriptionId: null, customer: content }
  return {
    changes,
    events,
    audits: [
      audit('order.placed', at, customer.id),
      ...events.map((event) => audit('order.changed', event.at, null)),
    ],
    order: {
      ...newOrder(ctx.keys, row, { lines, refusedLines: [], shipTo, customer: content }).row,
      carrier: isShipped ? 'USPS' : null,
      trackingNumber: isShipped ? `94001000000000${String(place).padStart(8, '0')}` : null,
      version: 1 + events.length,
    },
    checkout: {
      id: checkoutId,
      userHash: customer.hash,
      status: 'ordered' as const,
      paymentId,
      sessionId: null,
      amountCents: totalCents,
      sealedFrozen: sealCheckout(ctx.keys, checkoutId, checkout),
      createdAt: at,
      expiresAt: new Date(at.getTime() + minutesHeld * 60_000),
      checkAt: null,
      updatedAt: at,
    },
  }
}

type Move = Pick<LedgerChange, 'change' | 'type' | 'notes'> & { at: Date }

function moveStock(item: Sold, { at, ...move }: Move): LedgerChange {
  const before = item.stock
  item.stock += move.change
  item.sequence++
  const variantId = item.line.productVariantId
  return { id: randomUUID(), variantId, ...move, before, at: at.getTime(), sequence: item.sequence }
}

/** The medicines that are sold, each with a delivery before the first order. */
async function stockUp(ctx: Context, variants: number, linesPerRead: number): Promise<Sold[]> {
  const ids = await listSellableVariants(ctx.db, 'OTC', variants)
  const rows = await ctx.db
    .selectFrom('productVariants')
    .select(['id', 'stockQuantity', 'version'])
    .where(
      sql<boolean>`id in (select id from ${jsonRows(
        ctx.db,
        ids.map((id) => ({ id })),
        { id: 'text' },
      )})`,
    )
    .execute()
  const stocks = new Map(rows.map((row) => [row.id, row]))
  const sold: Sold[] = []
  for (let i = 0; i < ids.length; i += linesPerRead) {
    const items = ids.slice(i, i + linesPerRead).toSorted()
    for (const line of await readLines(ctx, items)) {
      const stock = stocks.get(line.productVariantId)
      if (stock) sold.push({ line, stock: stock.stockQuantity, sequence: stock.version, sold: 0 })
    }
  }
  const delivery = { change: 100_000, type: 'purchase', notes: 'Delivery', at: ctx.now } as const
  const changes = sold.map((item) => moveStock(item, delivery))
  await ctx.db.transaction().execute((db) => storeBatch({ ...ctx, db }, changes))
  return sold
}

/** The lines as a checkout freezes them; the reservation is rolled back. */
async function readLines(ctx: Context, ids: readonly string[]): Promise<FrozenLine[]> {
  let lines: FrozenLine[] = []
  const undo = new Error('undo')
  await ctx.db
    .transaction()
    .execute(async (db) => {
      const items = ids.map((productVariantId) => ({ productVariantId, quantity: 1 }))
      lines = (await freezeLines({ ...ctx, db }, items)).lines
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return lines
}

async function saveStock(db: Db, sold: readonly Sold[]): Promise<void> {
  const units = new Map<string, number>()
  for (const { line, sold: count } of sold)
    units.set(line.product.id, (units.get(line.product.id) ?? 0) + count)
  const rows = sold.map(({ line, stock, sequence }) => ({ id: line.productVariantId, stock, sequence }))
  await db.transaction().execute(async (tx) => {
    await sql`update product_variants set stock_quantity = r.stock, version = r.sequence
      from ${jsonRows(tx, rows, { id: 'text', stock: 'integer', sequence: 'integer' })}
      where product_variants.id = r.id`.execute(tx)
    await addUnitsSold(tx, units)
  })
}

async function chainAll({ db, keys }: Context): Promise<void> {
  const hashOf = createLinkHash(keys)
  while (await chainPending(db, { limit: 5000, hashOf })) continue
}

async function writeCustomers(ctx: Context, count: number): Promise<Customer[]> {
  const customers: Customer[] = []
  const names = Math.ceil(20 * Math.sqrt(count))
  for (let first = 0; first < count; first += rowsPerBatch) {
    const places = Array.from({ length: Math.min(rowsPerBatch, count - first) }, (_, i) => first + i)
    await ctx.db.transaction().execute(async (db) => {
      const tokens: { token: string; user_id: string }[] = []
      const users = []
      for (const place of places) {
        const [firstName, lastName] = [medicineName((place * 7) % 400), medicineName(400 + (place % names))]
        const email = `${firstName}.${lastName}.${place}@customer.example`
        const id = newId(ctx.now.getTime() + place)
        const key = await createUserKey({ ...ctx, db }, id)
        const address = {
          streetAddress: `${(place % 900) + 1} Harbor Lane`,
          city: 'Portland',
          stateProvince: 'ME',
          zipCode: '04101',
          country: 'United States',
        }
        users.push({
          id,
          emailHash: hashEmail(ctx, email),
          cellPhoneHash: null,
          sealedEmail: sealEmail(key, id, email),
          sealedName: sealName(key, id, { firstName, lastName }),
          sealedProfile: sealProfile(key, id, emptyProfile),
          passwordHash: null,
          oidcSubjectHash: null,
          roles: '',
          emailConfirmedAt: ctx.now,
          sealedTotpSecret: null,
          totpConfirmedAt: null,
          totpLastStep: null,
          idDocumentFileId: null,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        for (const token of hashPerson(ctx, { id, email, firstName, lastName }).tokens) {
          tokens.push({ token, user_id: id })
        }
        const name = `${firstName} ${lastName}`
        customers.push({ id, name, email, hash: hashCustomer(ctx.keys, id), address: formatAddress(address) })
      }
      await db.insertInto('users').values(users).execute()
      await sql`insert into person_tokens (token, user_id)
        select token, user_id from ${jsonRows(db, tokens, { token: 'text', user_id: 'text' })} where true
        order by token`.execute(db)
      await insertAudits(
        db,
        users.map(({ id }) => ({
          id: newId(ctx.now.getTime()),
          actorId: null,
          subjectId: id,
          action: 'account.created',
          objectId: null,
          requestId: 'bench',
          at: ctx.now,
        })),
      )
    })
  }
  return customers
}
