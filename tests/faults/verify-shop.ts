import { paths } from '#domain/paths.ts'
import { newAdmin, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { runCommand } from '#tests/support/commands.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { newJournal, type Journal } from './journal.ts'
import type { TestMedicine } from './prescribed.ts'
import type { RecordedPayment } from './provider-records.ts'
import {
  checkAcknowledged,
  checkAdjustments,
  checkDecisions,
  checkLedger,
  checkPayments,
  entrySchema,
  orderSchema,
  type Decisions,
  type Entry,
  type Order,
} from './shop-findings.ts'

async function read<T>(client: PlainClient, path: string, schema: z.ZodType<T>): Promise<T> {
  const reply = await client.send('GET', path)
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, path)
  return schema.parse(JSON.parse(reply.body))
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
  /** Prescription medicines, which pharmacists decide on. */
  medicines?: readonly TestMedicine[]
  /** The payment provider's records. */
  readPayments: () => Promise<RecordedPayment[]>
}

const variantsSchema = z.array(z.object({ id: z.string(), stockQuantity: z.number() }))

async function checkOnce(
  admin: PlainClient,
  { journal, variants, medicines = [], readPayments }: ShopRecords,
): Promise<string[]> {
  const decisions: Decisions = new Map(
    medicines.flatMap(({ variantIds, decision }) => variantIds.map((id) => [id, decision])),
  )
  // Payments first: an order that is placed in between has one.
  const payments = await readPayments()
  const orders = await readOrders(admin, journal)
  const findings = [
    ...checkPayments(orders, payments, decisions),
    ...checkDecisions(orders, decisions, journal),
    ...checkAcknowledged(orders, payments, journal),
  ]
  // The ledgers are many requests. They are right when everything has settled.
  return findings.length > 0
    ? findings
    : checkLedgers(admin, orders, journal, [...variants, ...decisions.keys()])
}

async function checkLedgers(
  admin: PlainClient,
  orders: readonly Order[],
  journal: Journal,
  variantIds: readonly string[],
): Promise<string[]> {
  const expectedIds = new Set(variantIds)
  const levels = (await read(admin, '/api/product-variants', variantsSchema)).filter(({ id }) =>
    expectedIds.has(id),
  )
  const findings: string[] = []
  if (levels.length !== expectedIds.size)
    findings.push(`${expectedIds.size - levels.length} variants are lost`)
  const all: Entry[] = []
  for (const { id, stockQuantity } of levels) {
    const entries = await readAll(admin, `/api/inventory/variant/${id}`, entrySchema)
    all.push(...entries)
    findings.push(...checkLedger(id, stockQuantity, entries, orders))
  }
  return [...findings, ...checkAdjustments(all, journal)]
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

const historySchema = z.object({
  result: z.object({ data: z.object({ events: z.array(z.object({ status: z.string() })) }) }),
})

/** All orders, as an admin sees them. */
export async function readOrders(
  admin: PlainClient,
  { shipping, cancelling }: Journal = newJournal(),
): Promise<Order[]> {
  const orders: Order[] = []
  for (const order of await readAll(admin, '/api/orders', orderSchema)) {
    // Shipping raced with the cancellation. Which came first decides about the refund.
    const isUnsure = order.status === 'cancelled' && shipping.has(order.id) && cancelling.has(order.id)
    const path = `${paths.trpc}/orders.get?input=${encodeURIComponent(JSON.stringify({ id: order.id }))}`
    const events = isUnsure ? (await read(admin, path, historySchema)).result.data.events : []
    orders.push({ ...order, hasShipped: events.some(({ status }) => status === 'shipped') })
  }
  return orders
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
