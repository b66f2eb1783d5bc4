import { listLineReviews, updateLineReview } from '#db/dispensing/line-reviews.ts'
import { findOrderByPayment } from '#db/orders/orders.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { releaseOrderFills } from '#server/dispensing/ship-lines.ts'
import { readOrderContent } from '#server/orders/order-reader.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { requestCapture } from '#server/orders/request-capture.ts'
import {
  createPaymentIntent,
  newAdmin,
  newBuyer,
  placeOrder,
  sameSession,
  UnexpectedReplyError,
} from '#tests/support/buyer.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { stripeEnv } from '#tests/support/stripe-shop.ts'
import { startStripe, type StripeServer } from '#tests/mocks/stripe/server.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withRetries } from './customers.ts'
import { newJournal, type Fault } from './journal.ts'
import { addTestMedicines, openShopContext, prescribe, readUserId, type TestMedicine } from './prescribed.ts'
import { addTestProduct } from './site.ts'
import { runVerifiers } from './verify-shop.ts'

const customers = 12
/** On a busy machine a request takes hundreds of milliseconds; some must succeed between kills. */
const [minUptimeMs, maxUptimeMs] = [500, 2500]
/** Longer than the lease of a payment whose process was killed. */
const settleLimitMs = 90_000
const pauseMs = 100

/** What becomes of an order, in turn. */
const fates = ['clear', 'refuse the prescription line', 'clear and cancel', 'clear', 'refuse all'] as const
type Fate = (typeof fates)[number]

/** A payment that was authorized, and the amounts of its lines. */
type Trial = { paymentId: string; fate: Fate; rxCents: number; otcCents: number }

/** One payment in five gets no webhook. */
const isUndelivered = (paymentId: string): boolean => Number.parseInt(paymentId.slice(-3), 36) % 5 === 0

/**
 * Prescription orders are authorized at Stripe, and pharmacists clear and refuse their lines, while
 * the shop is killed at random moments. Stripe's webhooks come three times in any order, for one
 * payment in five none. Each cleared order is captured once, and no refused line is.
 */
export const captures: Fault = async (site, times) => {
  const journal = newJournal()
  const stripe = await startStripe()
  const port = await freePort()
  const env = { ...stripeEnv(stripe), CHECKOUT_HOLD_SECONDS: '900', RECONCILE_SECONDS: '3' }
  let running = await site.start({ port, env })
  const { origin } = running
  stripe.webhooks.connect({
    url: `${origin}/webhooks/stripe`,
    secrets: [stripeKeys.webhook],
    times: 3,
    shuffleMs: 400,
    retries: 2,
    drop: ({ data }) => isUndelivered(String(data.object['payment_intent'] ?? data.object['id'])),
  })
  const [otc = ''] = await addTestProduct(origin, [times])
  const medicines = await addTestMedicines(origin, Math.ceil(times / customers))
  const shop = await openShopContext(site.url)
  const admin = await newAdmin(origin)
  const trials: Trial[] = []
  const stopping = new AbortController()
  const { signal } = stopping

  const buyers: PlainClient[] = []
  for (let i = 0; i < customers; i++) {
    const buyer = await newBuyer(origin, `captures-${Date.now()}-${i}`)
    await prescribe(shop, { userId: await readUserId(buyer), medicines, refills: 0 })
    buyers.push(buyer)
  }

  const buyAll = async (buyer: PlainClient, customer: number): Promise<void> => {
    const client = withRetries(buyer, journal, signal)
    const staff = withRetries(sameSession(admin, origin), journal, signal)
    for (let trial = customer; trial < times; trial += customers) {
      const medicine = medicines[Math.floor(trial / customers)]
      if (!medicine) throw new Error('There are too few medicines.')
      const started = await authorize(client, stripe, {
        medicine,
        otc,
        fate: fates[trial % fates.length] ?? 'clear',
      })
      trials.push(started)
      await decide(shop, staff, started)
    }
    client.close()
    staff.close()
  }
  let kills = 0
  const killRepeatedly = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(randomInt(minUptimeMs, maxUptimeMs))
      if (signal.aborted) return
      await running.kill()
      running = await site.start({ port, env })
      kills++
    }
  }
  const buying = Promise.all(buyers.map(buyAll))
  await Promise.all([killRepeatedly(), buying.finally(() => stopping.abort())])
  const findings = await settle(() => findFaults(shop, stripe, trials))
  if (trials.length !== times) findings.push(`${times} orders became ${trials.length}`)
  findings.push(...journal.findings, ...(await runVerifiers(site.url)))
  await shop.close()
  admin.close()
  await running.stop()
  await stripe.close()
  const intents = [...stripe.store.intents.values()]
  return {
    trials: times,
    findings,
    facts: {
      kills,
      captured: intents.filter(({ amount_received }) => amount_received > 0).length,
      voided: intents.filter(({ status }) => status === 'canceled').length,
      refunded: stripe.store.refunds.size,
      unanswered: journal.unanswered,
    },
  }
}

/** Orders a prescription medicine and another item. Every second browser does not return. */
async function authorize(
  client: PlainClient,
  stripe: StripeServer,
  { medicine, otc, fate }: { medicine: TestMedicine; otc: string; fate: Fate },
): Promise<Trial> {
  const items = [
    { productVariantId: medicine.variantIds[0], quantity: 1 },
    { productVariantId: otc, quantity: 1 },
  ]
  const intent = await createPaymentIntent(client, items)
  await stripe.confirm(intent.clientSecret)
  if (randomInt(2) === 0) await placeOrder(client, intent)
  return { paymentId: intent.paymentId, fate, rxCents: 0, otcCents: 0 }
}

/** The pharmacist's decision, once the order is there. */
async function decide(shop: Context, staff: PlainClient, trial: Trial): Promise<void> {
  const order = await waitFor(async () => findOrderByPayment(shop.db, trial.paymentId))
  for (const { product, priceCents } of readOrderContent(shop.keys, order).lines) {
    if (product.category === 'Rx') trial.rxCents = priceCents
    else trial.otcCents = priceCents
  }
  await waitFor(() => tryToDecide({ ...shop, now: new Date() }, order.id, trial.fate))
  if (trial.fate !== 'clear and cancel') return
  await sleep(randomInt(1500))
  const reply = await staff.send('PATCH', `/api/orders/${order.id}`, { json: { status: 'cancelled' } })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'PATCH orders')
}

/** Null when another transaction was faster. */
const tryToDecide = (ctx: Context, orderId: string, fate: Fate): Promise<true | null> =>
  inTransaction(ctx, async (ctx) => {
    if (fate === 'clear' || fate === 'clear and cancel') {
      await markCleared(ctx.db, orderId, ctx.now, { captures: false })
    } else {
      const refused = await refuse(ctx, orderId, fate)
      if (!refused) return null
    }
    await requestCapture(ctx, orderId)
    return true as const
  }).catch((error: unknown) => {
    // SQLite: the shop's process writes.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return null
    throw error
  })

async function refuse(ctx: Context, orderId: string, fate: Fate): Promise<boolean> {
  for (const { lineId, version } of await listLineReviews(ctx.db, [orderId])) {
    const decision = { status: 'refused', decidedBy: 'a pharmacist', decidedAt: ctx.now } as const
    await updateLineReview(ctx.db, { lineId, version, ...decision })
    await releaseOrderFills(ctx, orderId, [lineId])
  }
  const row = await ctx.db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  if (row.userId === null) throw new Error('The order has no customer.')
  const refusals = readOrderContent(ctx.keys, row)
    .lines.filter(({ product }) => fate === 'refuse all' || product.category === 'Rx')
    .map(({ id }) => ({ lineId: id, reason: 'Not covered' }))
  return (await refuseLines(ctx, { ...row, userId: row.userId }, refusals)) !== null
}

async function waitFor<T>(read: () => Promise<T | null>): Promise<T> {
  const until = Date.now() + settleLimitMs
  for (;;) {
    const found = await read()
    if (found !== null) return found
    if (Date.now() > until) throw new Error('It did not happen in time.')
    await sleep(pauseMs)
  }
}

/** Repeats until there are no findings or the time is up: jobs may still be running. */
async function settle(find: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + settleLimitMs
  for (;;) {
    const findings = await find()
    if (findings.length === 0 || Date.now() > until) return findings
    await sleep(5 * pauseMs)
  }
}

/** Whether the shop made a refund: what a capture releases has no key. */
const hasKey = (metadata: unknown): boolean =>
  typeof metadata === 'object' && metadata !== null && 'key' in metadata

/** Compares each order with its fate and with what Stripe charged. */
async function findFaults(
  { db }: Context,
  { store }: StripeServer,
  trials: readonly Trial[],
): Promise<string[]> {
  const findings: string[] = []
  for (const { paymentId, fate, rxCents, otcCents } of trials) {
    const find = (message: string): void => void findings.push(`${paymentId} (${fate}): ${message}`)
    const intent = store.intents.get(paymentId)
    const orders = await db.selectFrom('orders').selectAll().where('paymentId', '=', paymentId).execute()
    const [order] = orders
    if (!intent || !order || orders.length > 1) {
      find(`it has ${orders.length} orders`)
      continue
    }
    const charged = intent.amount_received
    const returned = [...store.refunds.values()]
      .filter(({ payment_intent, metadata }) => payment_intent === paymentId && hasKey(metadata))
      .reduce((sum, { amount }) => sum + amount, 0)
    const owed = { clear: rxCents + otcCents, 'refuse the prescription line': otcCents }
    const isOwed = fate === 'clear' || fate === 'refuse the prescription line'
    if (isOwed ? charged !== owed[fate] || returned > 0 : charged !== returned) {
      find(`${charged} were charged and ${returned} returned`)
    }
    if (fate === 'refuse all' && charged > 0) find(`${charged} were charged`)
    if (!isOwed && charged === 0 && intent.status !== 'canceled') find(`the payment is ${intent.status}`)
    if (order.capturedCents !== charged) find(`the order says that ${order.capturedCents} were charged`)
    if (order.refundedCents !== returned) find(`the order says that ${order.refundedCents} were returned`)
    if (order.status !== (isOwed ? 'processing' : 'cancelled')) find(`the order is ${order.status}`)
  }
  return findings
}
