import type { Permission } from '#domain/accounts/permissions.ts'
import { findOrder } from '#db/orders/orders.ts'
import { claimRefunds } from '#db/orders/refunds.ts'
import { listSellableVariants } from '#db/seed/order-stock.ts'
import { changeStock } from '#db/inventory/stock.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { formatAddress } from '#domain/accounts/addresses.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { fold } from '#domain/text.ts'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createUser } from '../accounts/create-user.ts'
import { replaceIdDocument } from '../accounts/id-document.ts'
import { finalizeCheckout } from '../checkout/finalize-checkout.ts'
import { startCheckout } from '../checkout/start-checkout.ts'
import { inTransaction, type Context } from '../context.ts'
import { receiveFormUpload } from '../files/receive-upload.ts'
import { confirmDemoPayment } from '../integrations/payments/demo-payments.ts'
import { recordStock } from '../inventory/record-stock.ts'
import { processRefund } from '../checkout/process-refunds.ts'
import { createPrescription } from '../prescriptions/create-prescription.ts'
import { drawFile, elenasPrescription } from './demo-prescriptions.ts'
import { applyOrderChange } from '../orders/apply-order-change.ts'

const card = '4242 4242 4242 4242'
const spanDays = 90
const spanMs = spanDays * 24 * 3600 * 1000
const ordersPerCustomer = 4
/** How many run at a time: they share group commits and connections. */
const concurrency = 8
const variantsSold = { OTC: 200, Rx: 20 } as const
/** One in `every` customers has a prescription, up to `max` customers. */
const rx = { every: 20, max: 200 } as const

const firstNames =
  'Ada Ben Chloé Dmitri Esra Femi Grace Hiro Ines Jonas Kira Liam Maya Nils Olga Priya Quentin Rosa Sven Tess'
const lastNames =
  'Abara Becker Costa Dubois Eriksen Fontaine Garcia Hansen Ito Jansen Kowalski Larsson Moreau Novak Okoye Patel'
const cities = [
  ['Portland', 'ME', '04101'],
  ['Austin', 'TX', '73301'],
  ['Denver', 'CO', '80202'],
  ['Madison', 'WI', '53703'],
] as const

type Customer = { user: SessionUser; shipTo: { text: string; parts: null }; prescriptionId: string | null }

/**
 * Creates orders through the shop's own use cases, spread over the last 90 days, with the customers
 * and stock they need, so that every record is consistent. Sends no email. For development and
 * benchmarks only: it pays with the demo card.
 * @returns a one-sentence summary
 */
export async function seedOrders(baseCtx: Context, count: number): Promise<string> {
  if (baseCtx.payments.kind !== 'demo') throw new Error('Orders can be seeded only with demo payments.')
  const ctx = { ...baseCtx, suppressesMail: true }
  const latest = ctx.now.getTime()
  const [otc, onPrescription] = await Promise.all([
    listSellableVariants(ctx.db, 'OTC', variantsSold.OTC),
    listSellableVariants(ctx.db, 'Rx', variantsSold.Rx),
  ])
  if (otc.length === 0) throw new Error('The catalog has nothing for sale. Load a catalog first.')
  await addStock(ctx, [...otc, ...onPrescription], Math.ceil((count * 12) / otc.length) + 100)
  const startMs = latest - spanMs
  const customers = await createCustomers(
    { ...ctx, now: new Date(startMs) },
    Math.ceil(count / ordersPerCustomer),
  )
  const orderIds = new Set<string>()
  // A customer orders once per batch, and all orders of a batch have the same time, so that dates
  // sort like ids.
  const size = Math.max(1, Math.min(concurrency, customers.length, Math.floor(count / spanDays)))
  await inBatches(count, size, async (i) => {
    const customer = customers[i % customers.length]
    if (!customer) return
    const at = new Date(startMs + Math.floor((spanMs * (i - (i % size))) / count))
    const customerCtx = { ...ctx, now: at, user: customer.user }
    orderIds.add(await placeOrder(customerCtx, customer, { otc, onPrescription, latest }, i / count))
  })
  await refundSeededOrders(ctx, orderIds)
  return `seeded ${orderIds.size} orders of ${customers.length} customers`
}

/** Runs `work` `count` times, in batches of `size` at once. */
async function inBatches(count: number, size: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < count; first += size) {
    await Promise.all(Array.from({ length: Math.min(size, count - first) }, (_, i) => work(first + i)))
  }
}

async function addStock(ctx: Context, variantIds: readonly string[], quantity: number): Promise<void> {
  for (const variantId of variantIds) {
    await inTransaction(ctx, async (ctx) => {
      const change = await changeStock(ctx.db, { variantId, change: quantity, now: ctx.now })
      if (change) await recordStock(ctx, { change, transactionType: 'purchase', notes: 'For seeded orders' })
    })
  }
}

const pick = <T>(list: readonly T[], i: number): T => {
  const item = list[i % list.length]
  if (item === undefined) throw new Error('The list is empty.')
  return item
}

async function createCustomers(ctx: Context, count: number): Promise<Customer[]> {
  const customers: Customer[] = []
  const { printIdentityCard } = await import('#db/seed/demo-documents.ts')
  const idDocument = printIdentityCard({ name: 'A customer', born: 'March 12, 1984', city: 'Portland, ME' })
  const prescriptionFile = await drawFile(elenasPrescription, ctx.now)
  await inBatches(count, concurrency, async (i) => {
    const [firstName, lastName] = [
      pick(firstNames.split(' '), i),
      pick(lastNames.split(' '), i * 7 + (i >> 4)),
    ]
    const email = `${fold(firstName)}.${fold(lastName)}.${randomBytes(4).toString('hex')}@customer.example`
    const [city, state, zip] = pick(cities, i)
    const parts = {
      streetAddress: `${(i % 900) + 1} Harbor Lane`,
      city,
      stateProvince: state,
      zipCode: zip,
      country: 'United States',
    }
    const id = await createUser(ctx, {
      email,
      firstName,
      lastName,
      passwordHash: null,
      emailConfirmed: true,
    })
    if (id === null) return
    const user = { ...seedSession, id, email, firstName, lastName }
    const needsPrescription = i % rx.every === 0 && i / rx.every < rx.max
    const prescriptionId = needsPrescription
      ? await addPrescription({ ...ctx, user }, idDocument, prescriptionFile)
      : null
    // Without address parts, as older clients send it, so that it is not saved as the customer's
    // address.
    customers[i] = { user, shipTo: { text: formatAddress(parts), parts: null }, prescriptionId }
  })
  return customers.filter(Boolean)
}

const seedSession = {
  sessionId: 'seed',
  roles: [],
  permissions: new Set<Permission>(),
  hasSecondFactor: false,
  factorVerifiedAt: null,
}

async function addPrescription(ctx: Context, idDocument: Buffer, file: Buffer): Promise<string> {
  await replaceIdDocument(ctx, await receiveFormUpload(ctx, Readable.from([idDocument])))
  const fileUrl = await receiveFormUpload(ctx, Readable.from([file]))
  const details = { doctorName: 'Dr. Priya Natarajan', prescriptionDate: null, expiryDate: null, notes: null }
  return (await createPrescription(ctx, { ...details, fileUrl })).id
}

/** `latest` is the time, in milliseconds, after which no event may happen. */
type Shop = { otc: readonly string[]; onPrescription: readonly string[]; latest: number }

/**
 * Places an order and moves it to the status typical for its age.
 *
 * @param age from 0 for the oldest order to 1 for the newest
 */
async function placeOrder(
  ctx: Context,
  { shipTo, prescriptionId }: Customer,
  { otc, onPrescription, latest }: Shop,
  age: number,
): Promise<string> {
  const lines = 1 + Math.floor(Math.random() * 3)
  const variants = Array.from({ length: lines }, () => pick(otc, Math.floor(Math.random() * otc.length)))
  const isRx = prescriptionId !== null && onPrescription.length > 0 && Math.random() < 0.5
  if (isRx) variants.push(pick(onPrescription, Math.floor(Math.random() * onPrescription.length)))
  const { payment } = await startCheckout(ctx, {
    items: [...new Set(variants)].map((productVariantId) => ({
      productVariantId,
      quantity: 1 + Math.floor(Math.random() * 3),
    })),
    shipTo,
    prescriptionId: isRx ? prescriptionId : null,
  })
  await confirmDemoPayment(ctx.db, { clientSecret: payment.clientSecret, cardNumber: card })
  const { order } = await finalizeCheckout(ctx, payment.id)
  const status = isRx ? 'processing' : statusAt(age)
  if (status !== 'processing') await setStatus(daysLater(ctx, latest), order.id, status)
  return order.id
}

function statusAt(age: number): OrderStatus {
  const chance = Math.random()
  if (chance < 0.04) return 'cancelled'
  if (chance < 0.07) return 'pending'
  if (age > 0.95) return 'processing'
  return age > 0.85 ? 'shipped' : 'delivered'
}

/** The shop itself, two days later, but never in the future. */
const daysLater = (ctx: Context, latest: number): Context => ({
  ...ctx,
  user: null,
  now: new Date(Math.min(ctx.now.getTime() + 2 * 24 * 3600 * 1000, latest)),
})

async function setStatus(ctx: Context, id: string, status: OrderStatus): Promise<void> {
  const row = await findOrder(ctx.db, id)
  if (!row || row.userId === null) return
  const isShipped = status === 'shipped' || status === 'delivered'
  await applyOrderChange(
    ctx,
    { ...row, userId: row.userId },
    {
      status,
      cancels: status === 'cancelled',
      carrier: isShipped ? 'USPS' : null,
      trackingNumber: isShipped ? `9400${row.createdAt.getTime()}` : null,
      estimatedDelivery: row.estimatedDelivery,
    },
  )
}

/**
 * Processes the refunds of the seeded orders. Refunds of other orders also run, and their customers
 * are notified as usual.
 */
async function refundSeededOrders(ctx: Context, orderIds: ReadonlySet<string>): Promise<void> {
  for (;;) {
    const now = new Date()
    const leaseEnds = new Date(now.getTime() + 15_000)
    const refunds = await claimRefunds(ctx.db, { now, leaseEnds, limit: 100 })
    if (refunds.length === 0) return
    await Promise.all(
      refunds.map((refund) => {
        const isSeeded = refund.orderId !== null && orderIds.has(refund.orderId)
        return processRefund({ ...ctx, now, suppressesMail: isSeeded }, refund)
      }),
    )
  }
}
