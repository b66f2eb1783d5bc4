import { findOrder } from '#db/orders/orders.ts'
import { claimRefunds } from '#db/orders/refunds.ts'
import { listSellableVariants } from '#db/seed/order-stock.ts'
import { changeStock } from '#db/inventory/stock.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { addressText } from '#domain/accounts/addresses.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { fold } from '#domain/text.ts'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createUser } from '../accounts/create-user.ts'
import { replaceIdDocument } from '../accounts/id-document.ts'
import { finalizeCheckout } from '../checkout/finalize-checkout.ts'
import { startCheckout } from '../checkout/create-checkout.ts'
import { inTransaction, type Context } from '../context.ts'
import { receiveWithForm } from '../files/receive-upload.ts'
import { confirmDemoPayment } from '../integrations/payments/demo-payments.ts'
import { recordStock } from '#db/inventory/record-stock.ts'
import { processRefund } from '../checkout/process-refunds.ts'
import { createPrescription } from '../prescriptions/create-prescription.ts'
import { applyOrderChange } from '../orders/apply-order-change.ts'

const card = '4242 4242 4242 4242'
const spanDays = 90
const spanMs = spanDays * 24 * 3600 * 1000
const ordersPerCustomer = 4
/** So many at a time: they share commits, and connections. */
const atOnce = 8
const variantsSold = { OTC: 200, Rx: 20 } as const
/** Of this many customers one needs a prescription, and no more than so many do. */
const rx = { every: 20, most: 200 } as const

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
 * Makes orders by the shop's own ways, spread over the last ninety days, with the customers and the stock for them, so that the books
 * hold whatever looks at them. Mails nobody. For development and measurements alone: it pays with the demo's card.
 * @returns what it did, in one sentence
 */
export async function seedOrders(start: Context, count: number): Promise<string> {
  if (start.payments.kind !== 'demo') throw new Error('Only demo payments can be made up.')
  const ctx = { ...start, isQuiet: true }
  const latest = ctx.now.getTime()
  const [otc, onPrescription] = await Promise.all([
    listSellableVariants(ctx.db, 'OTC', variantsSold.OTC),
    listSellableVariants(ctx.db, 'Rx', variantsSold.Rx),
  ])
  if (otc.length === 0) throw new Error('The catalogue sells nothing; load one first.')
  await stockUp(ctx, [...otc, ...onPrescription], Math.ceil((count * 12) / otc.length) + 100)
  const began = latest - spanMs
  const customers = await makeCustomers(
    { ...ctx, now: new Date(began) },
    Math.ceil(count / ordersPerCustomer),
  )
  const made = new Set<string>()
  // Nobody orders twice in a round, and all of a round order at the same moment, so that dates are in the order of the ids.
  const size = Math.max(1, Math.min(atOnce, customers.length, Math.floor(count / spanDays)))
  await inRounds(count, size, async (i) => {
    const customer = customers[i % customers.length]
    if (!customer) return
    const at = new Date(began + Math.floor((spanMs * (i - (i % size))) / count))
    const own = { ...ctx, now: at, user: customer.user }
    made.add(await place(own, customer, { otc, onPrescription, latest }, i / count))
  })
  await giveBack(ctx, made)
  return `seeded ${made.size} orders of ${customers.length} customers`
}

/** Does it `count` times, in rounds of `size` at once. */
async function inRounds(count: number, size: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < count; first += size) {
    await Promise.all(Array.from({ length: Math.min(size, count - first) }, (_, i) => work(first + i)))
  }
}

async function stockUp(ctx: Context, variantIds: readonly string[], quantity: number): Promise<void> {
  for (const variantId of variantIds) {
    await inTransaction(ctx, async (ctx) => {
      const change = await changeStock(ctx.db, { variantId, change: quantity, now: ctx.now })
      if (change) await recordStock(ctx, { change, transactionType: 'purchase', notes: 'For seeded orders' })
    })
  }
}

const pick = <T>(list: readonly T[], i: number): T => {
  const one = list[i % list.length]
  if (one === undefined) throw new Error('There is nothing to pick from.')
  return one
}

async function makeCustomers(ctx: Context, count: number): Promise<Customer[]> {
  const customers: Customer[] = []
  const { demoIdDocument, demoPrescription } = await import('#db/seed/demo-documents.ts')
  await inRounds(count, atOnce, async (i) => {
    const [firstName, lastName] = [
      pick(firstNames.split(' '), i),
      pick(lastNames.split(' '), i * 7 + (i >> 4)),
    ]
    const email = `${fold(firstName)}.${fold(lastName)}.${randomBytes(4).toString('hex')}@customer.example`
    const [city, state, zip] = pick(cities, i)
    const parts = {
      streetAddress: `${(i % 900) + 1} Harbour Lane`,
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
    const user = { ...nobody, id, email, firstName, lastName }
    const needsOne = i % rx.every === 0 && i / rx.every < rx.most
    const prescriptionId = needsOne
      ? await addPrescription({ ...ctx, user }, demoIdDocument, demoPrescription)
      : null
    // Without its parts, as the old call sends it: nothing is saved as the customer's own address.
    customers[i] = { user, shipTo: { text: addressText(parts), parts: null }, prescriptionId }
  })
  return customers.filter(Boolean)
}

const nobody = {
  sessionId: 'seed',
  isAdmin: false,
  mayAdminister: false,
  hasSecondFactor: false,
} as const

async function addPrescription(ctx: Context, idDocument: Buffer, file: Buffer): Promise<string> {
  await replaceIdDocument(ctx, await receiveWithForm(ctx, Readable.from([idDocument])))
  const fileUrl = await receiveWithForm(ctx, Readable.from([file]))
  const details = { doctorName: 'Dr. Priya Natarajan', prescriptionDate: null, expiryDate: null, notes: null }
  return (await createPrescription(ctx, { ...details, fileUrl })).id
}

/** `latest` is the moment, in milliseconds, after which nothing may have happened yet. */
type Shop = { otc: readonly string[]; onPrescription: readonly string[]; latest: number }

/** Places an order and takes it to where one of its age is. @param age 0 of the oldest, 1 of the newest */
async function place(
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
  if (status !== 'processing') await moveTo(someDaysLater(ctx, latest), order.id, status)
  return order.id
}

function statusAt(age: number): OrderStatus {
  const chance = Math.random()
  if (chance < 0.04) return 'cancelled'
  if (chance < 0.07) return 'pending'
  if (age > 0.95) return 'processing'
  return age > 0.85 ? 'shipped' : 'delivered'
}

/** The shop itself, some days later, and never in the future. */
const someDaysLater = (ctx: Context, latest: number): Context => ({
  ...ctx,
  user: null,
  now: new Date(Math.min(ctx.now.getTime() + 2 * 24 * 3600 * 1000, latest)),
})

async function moveTo(ctx: Context, id: string, status: OrderStatus): Promise<void> {
  const row = await findOrder(ctx.db, id)
  if (!row || row.userId === null) return
  const hasLeft = status === 'shipped' || status === 'delivered'
  await applyOrderChange(
    ctx,
    { ...row, userId: row.userId },
    {
      status,
      cancels: status === 'cancelled',
      carrier: hasLeft ? 'USPS' : null,
      trackingNumber: hasLeft ? `9400${row.createdAt.getTime()}` : null,
      estimatedDelivery: row.estimatedDelivery,
    },
  )
}

/** Gives back what its own orders gave up; a refund of another's waits for the shop, which tells them by mail. */
async function giveBack(ctx: Context, made: ReadonlySet<string>): Promise<void> {
  for (;;) {
    const now = new Date()
    const leaseEnds = new Date(now.getTime() + 15_000)
    const refunds = await claimRefunds(ctx.db, { now, leaseEnds, limit: 100 })
    if (refunds.length === 0) return
    await Promise.all(
      refunds.map((refund) => {
        const isOwn = refund.orderId !== null && made.has(refund.orderId)
        return processRefund({ ...ctx, now, isQuiet: isOwn }, refund)
      }),
    )
  }
}
