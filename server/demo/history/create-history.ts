import { findAuditedObject } from '#db/audit/audit.ts'
import { findProfile } from '#db/accounts/users.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { claimRefunds } from '#db/orders/refunds.ts'
import { listSellableVariants } from '#db/seed/order-stock.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { dayMs } from '#domain/days.ts'
import { groupBy } from '#domain/group-by.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import { createHash } from 'node:crypto'
import { hashEmail } from '../../accounts/blind-indexes.ts'
import { createUser, type NewUser } from '../../accounts/create-user.ts'
import { openPatientRecord } from '../../accounts/record-access.ts'
import { processRefund } from '../../checkout/process-refunds.ts'
import type { Context } from '../../context.ts'
import { adjustStock } from '../../inventory/adjust-stock.ts'
import { listThread } from '../../messages/list-thread.ts'
import { answerCustomer, sendToPharmacy } from '../../messages/send-message.ts'
import { getAdminOrder } from '../../orders/get-admin-order.ts'
import { refundOrder } from '../../orders/refund-order.ts'
import { changeOrderOnce, contextAt, placeOrderOnce } from '../demo-orders.ts'
import { orSkip, toSessionUser } from '../demo-session.ts'
import { people } from './people.ts'
import {
  historyOrders,
  historyVariants,
  lastStep,
  planHistory,
  type HistoryStep,
  type StepOf,
} from './plan-history.ts'

/** Customers whose steps of a day run at a time: they share group commits and connections. */
const concurrency = 8
const leaseMs = 15_000
/** The demo's staff who do what the plan says. */
type Staff = { admin: SessionUser; pharmacist: SessionUser; fulfillment: SessionUser }

/** What earlier steps have made, by its number in the plan. */
type Made = { users: Map<number, SessionUser>; orders: Map<number, string> }
type Parts = { staff: Staff; variants: readonly string[]; made: Made }

/**
 * Gives the demo a past: about 60 customers, 400 orders, deliveries, refunds and conversations of
 * the 120 days before the first start, made by the shop's own use cases with the clock set back.
 * Sends no email. An interrupted start continues at the next one; a complete history stays as it
 * is. Does nothing without demo payments, the demo's staff or the demo catalog.
 */
export async function createDemoHistory(ctx: Context, orders = historyOrders): Promise<void> {
  if (ctx.payments.kind !== 'demo') return
  const found = await findStaff(ctx)
  const variants = await listSellableVariants(ctx.db, 'OTC', historyVariants)
  if (!found || variants.length < historyVariants || (await isStockStepDone(ctx, lastStep))) return
  const { staff, startedAt } = found
  const made: Made = { users: new Map(), orders: new Map() }
  const days = groupBy(planHistory(startedAt, orders), ({ at }) => Math.floor(at.getTime() / dayMs))
  for (const steps of days.values()) {
    const chains = [...groupBy(steps, (step) => ('person' in step ? step.person : 'stock')).values()]
    const work = async (): Promise<void> => {
      for (let chain = chains.shift(); chain; chain = chains.shift()) {
        for (const step of chain)
          await orSkip(ctx, step.name, () => runStep(ctx, step, { staff, variants, made }))
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    await processDueRefunds(ctx, steps.at(-1)?.at ?? startedAt)
  }
}

/** The staff that the demo's accounts made, and when that was; null when one is gone. */
async function findStaff(ctx: Context): Promise<{ staff: Staff; startedAt: Date } | null> {
  const find = async (role: keyof Staff): Promise<SessionUser | null> => {
    const email = `${role}@meridian.test`
    const id = (await findCredentials(ctx.db, hashEmail(ctx, email)))?.id
    return id === undefined ? null : toSessionUser(id, email, [role])
  }
  const [admin, pharmacist, fulfillment] = [
    await find('admin'),
    await find('pharmacist'),
    await find('fulfillment'),
  ]
  const account = admin && (await findProfile(ctx.db, admin.id))
  return admin && pharmacist && fulfillment && account
    ? { staff: { admin, pharmacist, fulfillment }, startedAt: account.createdAt }
    : null
}

async function runStep(ctx: Context, step: HistoryStep, parts: Parts): Promise<void> {
  const { staff, made } = parts
  const as = (user: SessionUser | null): Context => ({ ...contextAt(ctx, step.at, step.name), user })
  if (step.kind === 'stock') return changeStockOnce(as(staff.admin), step, parts)
  if (step.kind === 'join') return join(as(null), step, made)
  const user = made.users.get(step.person)
  if (!user) return
  if (step.kind === 'order') return order(as(user), step, parts)
  const orderId = made.orders.get(step.order)
  // The shop's rules refused it.
  if (orderId === undefined) return
  if (step.kind === 'status') {
    const { status, trackingNumber } = step
    const carrier = trackingNumber === null ? {} : { carrier: 'USPS', trackingNumber }
    const by = as(status === 'cancelled' ? staff.admin : staff.fulfillment)
    return changeOrderOnce(by, user.id, orderId, { status, ...carrier })
  }
  if (step.kind === 'refund') return refund(as(staff.admin), step, orderId)
  const message = { subjectId: orderId, text: step.text, requestKey: uuidOf(step.name) }
  if (step.kind === 'question') return sendToPharmacy(as(user), message)
  const pharmacist = as(staff.pharmacist)
  await openPatientRecord(pharmacist, { patientId: user.id, reason: 'A question about an order' })
  const lastMessageId = lastMessageIdOf(await listThread(pharmacist, orderId))
  return answerCustomer(pharmacist, { ...message, lastMessageId })
}

const isStockStepDone = async (ctx: Context, requestId: string): Promise<boolean> => {
  const step = { subjectId: shopSubjectId, action: 'stock.adjusted', requestId } as const
  return (await findAuditedObject(ctx.db, step)) !== null
}

async function changeStockOnce(
  ctx: Context,
  { name, variant, change, type, notes }: StepOf<'stock'>,
  { variants }: Parts,
): Promise<void> {
  const variantId = variants[variant]
  if (variantId === undefined || (await isStockStepDone(ctx, name))) return
  await adjustStock(ctx, { variantId, quantityChange: change, transactionType: type, notes })
}

/** Customers who save no address order with one all the same. */
const savesAddress = (person: number): boolean => person % 6 !== 0

async function join(ctx: Context, { person }: StepOf<'join'>, { users }: Made): Promise<void> {
  const who = people[person]
  if (!who) return
  const { email, firstName, lastName, shipTo } = who
  const existing = await findCredentials(ctx.db, hashEmail(ctx, email))
  const account: NewUser = {
    email,
    firstName,
    lastName,
    // They never sign in.
    passwordHash: null,
    emailConfirmed: true,
    ...(savesAddress(person) && {
      profile: {
        shippingStreet: shipTo.streetAddress,
        shippingCity: shipTo.city,
        shippingState: shipTo.stateProvince,
        shippingCountry: shipTo.country,
        shippingZip: shipTo.zipCode,
      },
    }),
  }
  const id = existing?.id ?? (await createUser(ctx, account))
  if (id !== null) users.set(person, { ...toSessionUser(id, email), firstName, lastName })
}

async function order(ctx: Context, step: StepOf<'order'>, { variants, made }: Parts): Promise<void> {
  const shipTo = people[step.person]?.shipTo
  const items = step.lines.flatMap(({ variant, quantity }) => {
    const productVariantId = variants[variant]
    return productVariantId === undefined ? [] : [{ productVariantId, quantity }]
  })
  const id = shipTo ? await placeOrderOnce(ctx, { items, shipTo }) : null
  if (id !== null) made.orders.set(step.order, id)
}

/** Refunds an order's first line: of an order with one line, everything. */
async function refund(ctx: Context, { name }: StepOf<'refund'>, id: string): Promise<void> {
  const [line] = (await getAdminOrder(ctx, id)).items
  if (!line) return
  const lines = [{ lineId: line.id, quantity: line.quantity, restock: false }]
  await refundOrder(ctx, { id, key: uuidOf(name), lines })
}

/** The same UUID for the same name, with the version and variant bits of random ones. */
const uuidOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5')

/** What the refund job does, at the time of the history. */
async function processDueRefunds(ctx: Context, now: Date): Promise<void> {
  const at = contextAt(ctx, now, 'history-refunds')
  const leaseEnds = new Date(now.getTime() + leaseMs)
  const refunds = await claimRefunds(ctx.db, { now, leaseEnds, limit: 100 })
  for (const row of refunds) await processRefund(at, row)
}
