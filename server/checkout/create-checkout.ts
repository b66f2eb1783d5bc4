import { findCurrentPatient } from '#db/patients/patients.ts'
import {
  findOpenCheckout,
  insertCheckout,
  listOffers,
  updateCheckoutStatus,
  updateCheckoutContent,
  type CheckoutRow,
} from '#db/checkout/checkouts.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { hasUsableStock } from '#db/inventory/reservations.ts'
import { pipeline } from '#db/engine/sql.ts'
import { lockUser } from '#db/accounts/users.ts'
import { displayName } from '#domain/accounts/accounts.ts'
import type { AlertCount } from '#domain/alerts/alert-counts.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import {
  computeFingerprint,
  needsPrescription,
  sumLines,
  type CheckoutContent,
  type FrozenLine,
  type ShipTo,
} from '#domain/checkout/checkout.ts'
import { countryOf } from '#domain/dispensing/destination.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import { estimateDelivery, latestShipping } from '#domain/orders/orders.ts'
import { listAccountItems } from '../cart/cart-lines.ts'
import { isDomesticDelivery } from '../partners/is-domestic-delivery.ts'
import { requireUser } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { reserveFills, StaleItemError } from '../dispensing/reserve-fills.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import { freezeLines, normalizeItems, variantsWithLots, type CheckoutItem } from './freeze-lines.ts'
import { releaseCheckout } from './release-checkout.ts'
import { hashCustomer, openCheckout, sealCheckout } from './sealed-checkout.ts'
import { cancelCheckoutPayment } from './cancel-payment.ts'
import { resolveSessionPayment } from './find-payment.ts'

export type CheckoutInput = {
  items: readonly CheckoutItem[]
  shipTo: ShipTo | null
  prescriptionId: string | null
  /** Who the items without a prescription are for; the customer when omitted. */
  patientId?: string | null
  /** What the customer's confirmation of alerts adds to their report. */
  confirmedAlerts?: readonly AlertCount[]
}

/**
 * No attempt starts after this time. Each cancels a payment at the provider first: at a slow one,
 * five attempts took 25 s.
 */
const attemptsMs = 8000

/** The error when another checkout of the same customer won. */
export const concurrentCheckout = (): AppError =>
  new AppError('CONFLICT', 'You started another checkout at the same time. Try again.')

type CreatedCheckout = { row: CheckoutRow; lines: FrozenLine[] }

/** Reuses the customer's open checkout or creates a new one. See `startCheckout`. */
export async function findOrCreateCheckout(
  ctx: Context,
  input: CheckoutInput,
  { resume, seenFingerprint }: { resume: boolean; seenFingerprint: string | null },
): Promise<CreatedCheckout> {
  const user = requireUser(ctx)
  const items = normalizeItems(input.items)
  if (input.prescriptionId !== null) await requireUsablePrescription(ctx, user.id, input.prescriptionId)
  // Few customers have an open checkout. A new checkout detects it by the insert conflict; only a
  // resume reads first.
  let open = resume ? await findOpenCheckout(ctx.db, hashCustomer(ctx.keys, user.id)) : null
  const started = performance.now()
  return retryOnConflict(async () => {
    const previous = open
    const unchangedLines = previous && (await linesIfUnchanged(ctx, previous, items))
    const lines =
      unchangedLines && matchesFingerprint(unchangedLines, seenFingerprint) ? unchangedLines : null
    if (resume && previous && lines && !previous.sessionId && previous.expiresAt > ctx.now) {
      const row = await resumeCheckout(ctx, previous, input)
      if (row) return { row, lines }
    }
    const cancellation = previous && (await cancelCheckoutPayment(ctx, previous))
    // Already paid, in another tab or by a browser that never returned. Never charge it twice.
    if (previous && lines && cancellation === 'paid') {
      return { row: await resolveSessionPayment(ctx, previous), lines }
    }
    if (cancellation === 'processing') {
      throw new AppError('CONFLICT', 'Your last payment is still processing. Wait a moment, then try again.')
    }
    const created = await inTransaction(ctx, (ctx) =>
      replaceCheckout(ctx, { items, input, seenFingerprint, previous, cancellation }),
    ).catch(nullIfConcurrent)
    if (created) return created
    if (performance.now() - started > attemptsMs) throw concurrentCheckout()
    open = await findOpenCheckout(ctx.db, hashCustomer(ctx.keys, user.id))
    return null
  }, concurrentCheckout)
}

const matchesFingerprint = (lines: readonly FrozenLine[], seenFingerprint: string | null): boolean =>
  seenFingerprint === null || computeFingerprint(lines) === seenFingerprint

type Replacement = {
  items: readonly CheckoutItem[]
  input: CheckoutInput
  seenFingerprint: string | null
  previous: CheckoutRow | null
  cancellation: 'canceled' | 'paid' | null
}

/** Closes the previous checkout and creates a new one, in the caller's transaction. */
async function replaceCheckout(
  ctx: Context,
  { items, input, seenFingerprint, previous, cancellation }: Replacement,
): Promise<CreatedCheckout> {
  const { db, now } = ctx
  const { id: userId } = requireUser(ctx)
  const customerLock = lockCustomer(ctx, userId, previous)
  if (previous) await customerLock
  if (previous && cancellation === 'canceled') {
    const releasedLines = openCheckout(ctx.keys, previous).lines
    await lockVariants(
      db,
      [...releasedLines, ...items].map((line) => line.productVariantId),
    )
    await releaseCheckout(ctx, previous, 'cancelled')
  }
  if (previous && cancellation === 'paid') {
    await updateCheckoutStatus(db, { id: previous.id, from: 'open', to: 'paid', checkAt: now, now })
  }
  const created = await createCheckout(ctx, items, input, customerLock)
  // Checked last: an earlier copy of this form that became an order has emptied the cart by now.
  const isInCart = seenFingerprint === null || (await cartContains(ctx, userId, items))
  if (!isInCart || !matchesFingerprint(created.lines, seenFingerprint)) {
    throw new AppError('CONFLICT', checkoutMessages.cartChanged)
  }
  return created
}

/** Thrown to roll back the reservations of a checkout that lost against another one. */
class ConcurrentCheckoutError extends Error {}

function nullIfConcurrent(error: unknown): null {
  if (error instanceof ConcurrentCheckoutError || error instanceof StaleItemError) return null
  throw error
}

/**
 * Runs before the reservations: a second checkout of one customer would otherwise hold the stock
 * that the first one waits for.
 */
async function lockCustomer(
  { db, keys }: Context,
  userId: string,
  previous: CheckoutRow | null,
): Promise<void> {
  const [exists, open] = await pipeline(
    lockUser(db, userId),
    findOpenCheckout(db, hashCustomer(keys, userId)),
  )
  if (!exists) throw new AppError('UNAUTHENTICATED')
  // Its order may be in progress and wait for the stock that this checkout would reserve.
  if (open && open.id !== previous?.id) throw new ConcurrentCheckoutError()
}

async function cartContains(ctx: Context, userId: string, items: readonly CheckoutItem[]): Promise<boolean> {
  const cartItems = await listAccountItems(ctx, userId)
  const quantities = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  return (
    cartItems.length >= quantities.size &&
    [...quantities].every(([id, quantity]) =>
      cartItems.some((line) => line.variantId === id && line.quantity === quantity),
    )
  )
}

async function createCheckout(
  ctx: Context,
  items: readonly CheckoutItem[],
  { shipTo, prescriptionId, patientId = null, confirmedAlerts = [] }: CheckoutInput,
  customerLock: Promise<void>,
): Promise<CreatedCheckout> {
  const user = requireUser(ctx)
  const { db, keys, now, shop } = ctx
  const [, frozen] = await pipeline(customerLock, freezeLines(ctx, items))
  const id = newId(now.getTime())
  const fills = { userId: user.id, checkoutId: id, prescriptionId, lines: frozen.lines }
  const patient = await findPatientOfItems(ctx, user.id, patientId)
  const lines = addDaysSupply(frozen.lines, await reserveFills(ctx, fills)).map((line) =>
    withPatient(line, patient),
  )
  if (frozen.withLots.size > 0) await requireUsableLots(ctx, { lines, shipTo }, frozen.withLots)
  const name = user.firstName || user.lastName ? displayName(user) : ''
  const customer = { name, email: user.email }
  const content: CheckoutContent = {
    userId: user.id,
    lines,
    shipTo,
    prescriptionId,
    customer,
    ...(confirmedAlerts.length > 0 && { confirmedAlerts: [...confirmedAlerts] }),
  }
  const row: CheckoutRow = {
    id,
    userHash: hashCustomer(keys, user.id),
    status: 'open',
    paymentId: null,
    sessionId: null,
    amountCents: sumLines(lines),
    sealedFrozen: sealCheckout(keys, id, content),
    createdAt: now,
    expiresAt: new Date(now.getTime() + shop.holdSeconds * 1000),
    // Most customers have paid and come back by then.
    checkAt: new Date(now.getTime() + 1000 * Math.min(shop.reconcileSeconds, shop.holdSeconds)),
    updatedAt: now,
  }
  if (!(await insertCheckout(db, row))) throw new ConcurrentCheckoutError()
  return { row, lines }
}

/** The chosen dependant; null for the customer. Throws INVALID for anyone else. */
async function findPatientOfItems(
  { db }: Pick<Context, 'db'>,
  userId: string,
  patientId: string | null,
): Promise<string | null> {
  if (patientId === null || patientId === '' || patientId === userId) return null
  const row = await findCurrentPatient(db, { id: patientId, userId })
  if (!row) {
    throw new AppError('INVALID', undefined, { fields: { patientId: 'Choose one of the people listed.' } })
  }
  return row.id
}

/** A line without a prescription, with the person it is for. */
const withPatient = ({ patientId: _patientId, ...line }: FrozenLine, patientId: string | null): FrozenLine =>
  patientId === null || line.product.category === 'Rx' ? line : { ...line, patientId }

/** Adds how long the units of each line last, where it is known. */
const addDaysSupply = (lines: readonly FrozenLine[], daysSupply: ReadonlyMap<string, number>): FrozenLine[] =>
  lines.map((line) => {
    const days = daysSupply.get(line.id)
    return days === undefined ? line : { ...line, daysSupply: days }
  })

const toCountry = (shipTo: ShipTo | null): string | null => shipTo && countryOf(shipTo)

/**
 * Throws CONFLICT when what is left of a variant expires before its line arrives, or before its
 * supply is used up. The supply counts from the last day on which the order should ship: a lot that
 * ended with a supply from today could neither be cleared nor shipped tomorrow.
 */
async function requireUsableLots(
  { db, now }: Context,
  { lines, shipTo }: Pick<CheckoutContent, 'lines' | 'shipTo'>,
  withLots: ReadonlySet<string>,
): Promise<void> {
  const productIds = lines.map(({ product }) => product.id)
  // A checkout of the API can get its address with the payment: it may be abroad.
  const isDomestic =
    shipTo !== null && (await isDomesticDelivery({ db }, { productIds, country: countryOf(shipTo) }))
  const arrivesBy = estimateDelivery(now, { isDomestic })
  for (const { productVariantId, isTracked, daysSupply, product } of lines) {
    if (!isTracked || !withLots.has(productVariantId)) continue
    const lastsUntil = usableUntil(latestShipping(now), daysSupply, arrivesBy)
    if (await hasUsableStock(db, productVariantId, lastsUntil)) continue
    const { expiresTooEarly, expiresOnTheWay } = checkoutMessages
    const message = daysSupply === undefined ? expiresOnTheWay : expiresTooEarly
    throw new AppError('CONFLICT', `${product.name}: ${message}`)
  }
}

/** The lines of an open checkout if they are these items at today's prices, else null. */
async function linesIfUnchanged(
  ctx: Context,
  previous: CheckoutRow,
  items: readonly CheckoutItem[],
): Promise<FrozenLine[] | null> {
  const { lines } = openCheckout(ctx.keys, previous)
  const quantities = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  const offers = await listOffers(ctx.db, [...quantities.keys()])
  const prices = new Map(offers.map(({ id, priceCents }) => [id, priceCents]))
  const isSame =
    lines.length === items.length &&
    lines.every(
      ({ productVariantId: id, quantity, priceCents }) =>
        quantities.get(id) === quantity && prices.get(id) === priceCents,
    )
  return isSame ? lines : null
}

/**
 * Replaces the address and prescription of an open checkout and extends its hold. Returns null when
 * it is no longer open.
 */
async function resumeCheckout(
  ctx: Context,
  previous: CheckoutRow,
  { shipTo, prescriptionId, patientId = null, confirmedAlerts = [] }: CheckoutInput,
): Promise<CheckoutRow | null> {
  const content = openCheckout(ctx.keys, previous)
  const patient = await findPatientOfItems(ctx, requireUser(ctx).id, patientId)
  if (content.lines.some((line) => line.patientId !== withPatient(line, patient).patientId)) return null
  // Another prescription may cover other lines: the checkout is created again.
  if (needsPrescription(content.lines) && content.prescriptionId !== prescriptionId) return null
  // It arrives on another day, before which its lots may expire. A new checkout would cancel the
  // payment before it refuses them: this one can still be paid at its former address. Without a
  // lock, another sale can take these units. The order then gets others, which staff see.
  if (toCountry(content.shipTo) !== toCountry(shipTo)) {
    const ids = content.lines.map(({ productVariantId }) => productVariantId)
    const withLots = variantsWithLots(await listOffers(ctx.db, ids))
    await requireUsableLots(ctx, { ...content, shipTo }, withLots)
  }
  const sealedFrozen = sealCheckout(ctx.keys, previous.id, {
    ...content,
    shipTo,
    prescriptionId,
    confirmedAlerts: [...confirmedAlerts],
  })
  const expiresAt = new Date(ctx.now.getTime() + ctx.shop.holdSeconds * 1000)
  const isOpen = await updateCheckoutContent(ctx.db, {
    id: previous.id,
    sealedFrozen,
    expiresAt,
    now: ctx.now,
  })
  return isOpen ? { ...previous, sealedFrozen, expiresAt } : null
}
