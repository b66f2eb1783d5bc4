import type { Db } from '#db/engine/client.ts'
import type { Order, OrderLine } from '#domain/orders/orders.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { confirmDemoPayment, demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { requestCapture } from '#server/orders/request-capture.ts'
import { addProduct, addVariant } from './catalog.ts'
import { asCustomer, goodCard, shipTo } from './checkouts.ts'
import { jobParts, testContext } from './context.ts'
import { addPrescription } from './prescriptions.ts'

const pick = (order: Order, category: 'Rx' | 'OTC'): OrderLine => {
  const line = order.items.find(({ product }) => product.category === category)
  if (!line) throw new Error(`The order has no ${category} line.`)
  return line
}

/**
 * Orders two units of a prescription medicine for $10.00 and one other unit for $5.00, on the clock
 * of the context: the payment is authorized.
 */
export async function placeHeldOrder(db: Db, overrides: Partial<Context> = {}) {
  const customer = await asCustomer(db, overrides)
  const ctx = { ...customer, payments: overrides.payments ?? demoPayments(db, () => customer.now) }
  const rx = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }), priceCents: 1000 })
  const otc = await addVariant(db, { priceCents: 500 })
  const prescription = await addPrescription(db, ctx.user?.id ?? '', { now: ctx.now })
  const items = [
    { productVariantId: rx, quantity: 2 },
    { productVariantId: otc, quantity: 1 },
  ]
  const { payment } = await startCheckout(ctx, { items, shipTo, prescriptionId: prescription.id })
  await confirmDemoPayment(db, {
    clientSecret: payment.clientSecret,
    cardNumber: goodCard,
    now: ctx.now,
  })
  const { order } = await finalizeCheckout(ctx, payment.id)
  return { ctx, order, rx, otc, rxLine: pick(order, 'Rx'), otcLine: pick(order, 'OTC'), prescription }
}

/** Runs the shop's loops about money at this moment. */
export async function runMoneyJobs(ctx: Context, now: Date = ctx.now): Promise<void> {
  const job = { ...ctx, now: () => now }
  const parts = { ...jobParts(ctx.db), payments: ctx.payments }
  const { signal } = new AbortController()
  await reconcileCheckouts(job, parts, signal)
  await processHolds(job, parts, signal)
  await processRefunds(job, parts, signal)
}

/** Captures an order's payment for the lines that were not refused. */
export async function capture(db: Db, orderId: string, overrides: Partial<Context> = {}): Promise<void> {
  const ctx = testContext(db, overrides)
  await requestCapture(ctx, orderId)
  await runMoneyJobs(ctx)
}
