import { parseCents } from '#domain/money.ts'
import { newAdmin, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { runCommand } from '#tests/support/commands.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Journal } from './journal.ts'
import type { RecordedPayment } from './provider-records.ts'

const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  total: z.string(),
  refunded: z.string(),
  createdAt: z.string(),
  stripePaymentId: z.string(),
  items: z.array(z.object({ productVariantId: z.string(), quantity: z.number(), price: z.string() })),
})
type Order = z.infer<typeof orderSchema>

const entrySchema = z.object({
  id: z.string(),
  transactionType: z.string(),
  quantityChange: z.number(),
  quantityBefore: z.number(),
  quantityAfter: z.number(),
  notes: z.string().nullable(),
})
type Entry = z.infer<typeof entrySchema>

async function read<T>(client: PlainClient, path: string, schema: z.ZodType<T>): Promise<T> {
  const reply = await client.send('GET', path)
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, path)
  return schema.parse(JSON.parse(reply.body))
}

const cents = (amount: string): number => parseCents(amount) ?? Number.NaN

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Every row of a list that pages. */
async function readAll<T extends { id: string }>(
  client: PlainClient,
  path: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const after = rows.at(-1)?.id
    const page = await read(client, `${path}?limit=1000${after ? `&after=${after}` : ''}`, z.array(schema))
    rows.push(...page)
    if (page.length < 1000) return rows
  }
}

export type ShopRecords = {
  origin: string
  journal: Journal
  variants: readonly string[]
  /** The payment provider's records. */
  readPayments: () => Promise<RecordedPayment[]>
}

/**
 * Each successful payment has one order, or none and a full refund. The payment of a cancelled
 * order was refunded.
 */
function checkPayments(orders: readonly Order[], payments: readonly RecordedPayment[]): string[] {
  const findings: string[] = []
  const byPayment = groupBy(orders, (order) => order.stripePaymentId)
  const paymentsById = new Map(payments.map((payment) => [payment.id, payment]))
  for (const [paymentId, paidOrders] of byPayment) {
    if (paidOrders.length > 1) findings.push(`payment ${paymentId} has ${paidOrders.length} orders`)
    if (paymentsById.get(paymentId)?.status !== 'succeeded')
      findings.push(`payment ${paymentId} has an order but was not paid`)
  }
  for (const { id, status, amountCents, refundedCents } of payments) {
    if (status !== 'succeeded') {
      if (refundedCents > 0) findings.push(`payment ${id} is ${status} and gave back ${refundedCents}`)
      continue
    }
    const [order] = byPayment.get(id) ?? []
    const owed = !order || order.status === 'cancelled' ? amountCents : 0
    if (refundedCents !== owed) {
      const what = order ? `is of a ${order.status} order` : 'has no order'
      findings.push(`payment ${id} of ${amountCents} ${what} and gave back ${refundedCents}`)
    }
    if (!order) continue
    if (cents(order.total) !== amountCents)
      findings.push(`order ${order.id} is of ${order.total}, paid were ${amountCents}`)
    if (cents(order.refunded) !== refundedCents) {
      findings.push(`order ${order.id} says that ${order.refunded} went back, the provider ${refundedCents}`)
    }
    const sum = order.items.reduce((total, { price, quantity }) => total + cents(price) * quantity, 0)
    if (sum !== amountCents)
      findings.push(`the lines of order ${order.id} come to ${sum}, paid were ${amountCents}`)
  }
  return findings
}

/** Everything that the shop acknowledged exists. */
function checkAcknowledged(
  orders: readonly Order[],
  payments: readonly RecordedPayment[],
  journal: Journal,
): string[] {
  const findings: string[] = []
  const byId = new Map(orders.map((order) => [order.id, order]))
  for (const [id, { paymentId, total }] of journal.orders) {
    const order = byId.get(id)
    if (!order) findings.push(`order ${id} was acknowledged but is missing`)
    else if (order.stripePaymentId !== paymentId || order.total !== total)
      findings.push(`order ${id} is another`)
  }
  for (const id of journal.cancelled) {
    if (byId.get(id)?.status !== 'cancelled')
      findings.push(`order ${id} was cancelled and is ${byId.get(id)?.status}`)
  }
  const succeeded = new Set(payments.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
  for (const id of journal.paid)
    if (!succeeded.has(id)) findings.push(`payment ${id} was acknowledged but is missing`)
  return findings
}

/** Each variant's ledger is a chain that ends at its stock, and says what the orders say. */
function checkLedger(
  variantId: string,
  stockQuantity: number,
  entries: readonly Entry[],
  orders: readonly Order[],
): string[] {
  const findings: string[] = []
  const oldestFirst = entries.toReversed()
  for (const [i, { quantityBefore, quantityChange, quantityAfter }] of oldestFirst.entries()) {
    const isRight = quantityBefore + quantityChange === quantityAfter
    const follows = quantityBefore === (oldestFirst[i - 1]?.quantityAfter ?? 0)
    if (!isRight || !follows) findings.push(`the ledger of ${variantId} breaks at its row ${i + 1}`)
  }
  const last = oldestFirst.at(-1)?.quantityAfter ?? 0
  if (last !== stockQuantity)
    findings.push(`the ledger of ${variantId} ends at ${last}, the stock is ${stockQuantity}`)
  const ordered = (some: readonly Order[]): number =>
    some
      .flatMap(({ items }) => items)
      .filter((item) => item.productVariantId === variantId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  const booked = (type: string): number =>
    entries
      .filter(({ transactionType }) => transactionType === type)
      .reduce((sum, { quantityChange }) => sum + quantityChange, 0)
  const [sold, back] = [ordered(orders), ordered(orders.filter(({ status }) => status === 'cancelled'))]
  if (-booked('sale') !== sold)
    findings.push(`${variantId}: ${sold} were ordered, the ledger has ${-booked('sale')}`)
  if (booked('cancellation') !== back) {
    findings.push(`${variantId}: ${back} were cancelled, the ledger has ${booked('cancellation')}`)
  }
  return findings
}

function checkAdjustments(entries: readonly Entry[], { adjusted, unsure }: Journal): string[] {
  const found = groupBy(
    entries.filter(({ notes }) => notes !== null),
    ({ notes }) => notes ?? '',
  )
  const countOf = (notes: string): number => found.get(notes)?.length ?? 0
  return [
    ...[...adjusted.keys()]
      .filter((notes) => countOf(notes) !== 1)
      .map(
        (notes) => `adjustment ${notes} was acknowledged and stands ${countOf(notes)} times in the ledger`,
      ),
    ...[...unsure.keys()]
      .filter((notes) => countOf(notes) > 1)
      .map((notes) => `adjustment ${notes} stands ${countOf(notes)} times in the ledger`),
  ]
}

const variantsSchema = z.array(z.object({ id: z.string(), stockQuantity: z.number() }))

async function checkOnce(admin: PlainClient, records: ShopRecords): Promise<string[]> {
  const payments = await records.readPayments()
  const orders = await readAll(admin, '/api/orders', orderSchema)
  const expectedIds = new Set(records.variants)
  const levels = (await read(admin, '/api/product-variants', variantsSchema)).filter(({ id }) =>
    expectedIds.has(id),
  )
  const findings = [
    ...checkPayments(orders, payments),
    ...checkAcknowledged(orders, payments, records.journal),
  ]
  if (levels.length !== expectedIds.size)
    findings.push(`${expectedIds.size - levels.length} variants are lost`)
  const all: Entry[] = []
  for (const { id, stockQuantity } of levels) {
    const entries = await readAll(admin, `/api/inventory/variant/${id}`, entrySchema)
    all.push(...entries)
    findings.push(...checkLedger(id, stockQuantity, entries, orders))
  }
  return [...findings, ...checkAdjustments(all, records.journal)]
}

const verifiers = ['audit-verify', 'stock-verify', 'fills-verify'] as const

/** Runs the shop's verifiers beside it. Their findings are ours. */
export async function runVerifiers(databaseUrl: string): Promise<string[]> {
  const findings = await Promise.all(verifiers.map((name) => runVerifier(name, databaseUrl)))
  return findings.flat()
}

async function runVerifier(name: (typeof verifiers)[number], databaseUrl: string): Promise<string[]> {
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const { code, err } = await runCommand(name, {
    env: { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, SESSION_SECRET },
  })
  return code === 0 ? [] : [`${name} ended with ${code}: ${err.trim().slice(0, 500)}`]
}

/** All orders, as an admin sees them. */
export async function readOrders(origin: string): Promise<Order[]> {
  const admin = await newAdmin(origin)
  try {
    return await readAll(admin, '/api/orders', orderSchema)
  } finally {
    admin.close()
  }
}

/**
 * Verifies the shop from outside: the API for admins, the provider's records and what clients were
 * told. Jobs may still be running (refunds, abandoned checkouts), so it repeats until there are no
 * findings or the time is up, which is longer than the lease of an interrupted job.
 */
export async function verifyShop(records: ShopRecords, settleLimitMs = 90_000): Promise<string[]> {
  const admin = await newAdmin(records.origin)
  const until = Date.now() + settleLimitMs
  try {
    for (;;) {
      const findings = await checkOnce(admin, records)
      if (findings.length === 0 || Date.now() > until) return [...records.journal.findings, ...findings]
      await sleep(500)
    }
  } finally {
    admin.close()
  }
}
