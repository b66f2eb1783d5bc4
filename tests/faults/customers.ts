import { createPaymentIntent, placeOrder, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { NoReplyError, type PlainClient } from '#tests/support/http-client.ts'
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { TestMedicine } from './prescribed.ts'

const patienceMs = 120_000
const pauseMs = 40
const maxCancelDelayMs = 1000

const isTransient = (status: number): boolean => status === 503 || status === 507

/**
 * Retries until the shop answers, like a browser with a patient user. Counts unanswered requests.
 */
export const withRetries = (client: PlainClient, journal: Journal, signal?: AbortSignal): PlainClient => ({
  ...client,
  send: async (...request) => {
    const until = Date.now() + patienceMs
    for (;;) {
      try {
        const reply = await client.send(...request)
        if (!isTransient(reply.status) || Date.now() > until) return reply
      } catch (error) {
        if (!(error instanceof NoReplyError) || Date.now() > until || signal?.aborted) throw error
        if (error.wasConnected) journal.unanswered++
      }
      await sleep(pauseMs)
    }
  },
})

/** Rejections that may happen: unpaid, expired, refunded, sold out, or changed in the meantime. */
const acceptedRejections = new Set([402, 409])

/** Records an expected rejection; any other is a finding. */
export function recordRejection(journal: Journal, error: unknown): void {
  if (!(error instanceof UnexpectedReplyError)) throw error
  const { status, body } = error.reply
  const isExpected = acceptedRejections.has(status) || (journal.isBroken && status >= 500)
  if (!isExpected && !journal.findings.includes(error.message)) journal.findings.push(error.message)
  const summary = `${status} ${body.slice(0, 60)}`
  journal.rejected.set(summary, (journal.rejected.get(summary) ?? 0) + 1)
}

/** What a customer can buy, and how they pay for it. */
export type Purchases = {
  variants: readonly string[]
  /** The medicines that the customer has a prescription for. A patient removes what they bought. */
  medicines: TestMedicine[]
  /** Pays as a browser does. Returns false when that did not succeed. */
  confirm: (clientSecret: string) => boolean
}

/**
 * Buys repeatedly until the signal aborts. Sometimes leaves before paying or before placing the
 * order, or has the order cancelled.
 */
export async function keepBuying(
  customer: PlainClient,
  admin: PlainClient,
  purchases: Purchases,
  journal: Journal,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await buyOnce(customer, admin, purchases, journal)
    } catch (error) {
      if (signal.aborted && error instanceof NoReplyError) return
      recordRejection(journal, error)
    }
  }
}

async function buyOnce(
  customer: PlainClient,
  admin: PlainClient,
  { variants, medicines, confirm }: Purchases,
  journal: Journal,
): Promise<void> {
  const chosen = medicines.filter(() => randomInt(medicines.length) === 0).slice(0, 2)
  const items = variants
    .filter(() => randomInt(variants.length) < 2)
    .map((productVariantId) => ({ productVariantId, quantity: randomInt(1, 4) }))
  for (const { variantIds } of chosen)
    items.push({ productVariantId: variantIds[randomInt(2)] ?? '', quantity: 1 })
  if (items.length === 0) return
  const intent = await createPaymentIntent(customer, items)
  const fate = randomInt(100)
  if (fate < 8) return
  if (!confirm(intent.clientSecret)) return
  // A refused medicine can be ordered again; of any other the last refill is taken.
  const taken = chosen.filter(({ decision }) => decision !== 'refuse')
  for (const medicine of taken) medicines.splice(medicines.indexOf(medicine), 1)
  journal.paid.add(intent.paymentId)
  if (fate < 16) return
  const order = await placeOrder(customer, intent)
  journal.orders.set(order.id, { paymentId: intent.paymentId, total: intent.total })
  if (fate >= 28) return
  // Before, while or after pharmacists decide on it.
  if (chosen.length > 0) await sleep(randomInt(maxCancelDelayMs))
  await cancel(admin, order.id, journal)
  medicines.push(...taken)
}

async function cancel(admin: PlainClient, orderId: string, journal: Journal): Promise<void> {
  journal.cancelling.add(orderId)
  const reply = await admin.send('PATCH', `/api/orders/${orderId}`, { json: { status: 'cancelled' } })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'PATCH orders')
  journal.cancelled.add(orderId)
}

/**
 * Adjusts the stock until the signal aborts. Does not retry an unanswered adjustment, because that
 * would be a second one.
 */
export async function keepAdjusting(
  admin: PlainClient,
  variants: readonly string[],
  journal: Journal,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const notes = randomUUID()
    const quantityChange = randomInt(1, 12) - (randomInt(4) === 0 ? 12 : 0)
    const variantId = variants[randomInt(variants.length)]
    const json = { variantId, quantityChange, transactionType: 'adjustment', notes }
    try {
      const reply = await admin.send('POST', '/api/inventory/adjust', { json })
      if (reply.status === 200) journal.adjusted.set(notes, quantityChange)
      else if (isTransient(reply.status)) journal.unsure.set(notes, quantityChange)
      else recordRejection(journal, new UnexpectedReplyError(reply, 'inventory/adjust'))
    } catch (error) {
      if (!(error instanceof NoReplyError)) throw error
      if (error.wasConnected) journal.unanswered++
      journal.unsure.set(notes, quantityChange)
    }
    await sleep(pauseMs)
  }
}
