import { groupBy } from '#domain/group-by.ts'
import { parseCents } from '#domain/money.ts'
import { z } from 'zod'
import type { Journal } from './journal.ts'
import type { Decision } from './prescribed.ts'
import type { RecordedPayment } from './provider-records.ts'

/** What must hold between the shop's answers, the provider's records and what clients were told. */

const lineSchema = z.object({ productVariantId: z.string(), quantity: z.number(), price: z.string() })
export const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  total: z.string(),
  refunded: z.string(),
  createdAt: z.string(),
  stripePaymentId: z.string(),
  items: z.array(lineSchema),
  refusedItems: z.array(lineSchema),
})
export type Order = z.infer<typeof orderSchema> & {
  /** Whether it shipped before it was cancelled. An admin refunds and restocks such an order. */
  hasShipped: boolean
}
type OrderedLine = z.infer<typeof lineSchema>

export const entrySchema = z.object({
  id: z.string(),
  transactionType: z.string(),
  quantityChange: z.number(),
  quantityBefore: z.number(),
  quantityAfter: z.number(),
  notes: z.string().nullable(),
})
export type Entry = z.infer<typeof entrySchema>

/** What pharmacists decide about each prescription variant. */
export type Decisions = ReadonlyMap<string, Decision>

const cents = (amount: string): number => parseCents(amount) ?? Number.NaN

const sumOf = (lines: readonly OrderedLine[]): number =>
  lines.reduce((total, { price, quantity }) => total + cents(price) * quantity, 0)

const isCancelled = ({ status }: Order): boolean => status === 'cancelled'

/** Only this cancellation refunds and restocks. */
const isCancelledBeforeShipment = (order: Order): boolean => isCancelled(order) && !order.hasShipped

/** Whether it has a line that pharmacists do not decide: its payment stays authorized. */
const isWaiting = ({ items }: Order, decisions: Decisions): boolean =>
  items.some(({ productVariantId }) => decisions.get(productVariantId) === 'ask')

/**
 * Each payment that succeeded or was authorized has one order, or none and nothing is charged. An
 * order is charged once, for its lines that were not refused. The payment of an order that was
 * cancelled before shipment was voided or refunded. An authorization waits only for undecided
 * lines.
 */
export function checkPayments(
  orders: readonly Order[],
  payments: readonly RecordedPayment[],
  decisions: Decisions,
): string[] {
  const findings: string[] = []
  const byPayment = groupBy(orders, (order) => order.stripePaymentId)
  const known = new Set(payments.map(({ id }) => id))
  for (const [paymentId, paidOrders] of byPayment) {
    if (paidOrders.length > 1) findings.push(`payment ${paymentId} has ${paidOrders.length} orders`)
    if (!known.has(paymentId)) findings.push(`payment ${paymentId} has an order but does not exist`)
  }
  for (const payment of payments) {
    const [order] = byPayment.get(payment.id) ?? []
    for (const finding of order ? checkOrderPayment(order, payment, decisions) : checkUnordered(payment))
      findings.push(
        `payment ${payment.id} ${order ? `of the ${order.status} order ${order.id}` : ''} ${finding}`,
      )
  }
  return findings
}

/** Nothing was charged without an order, or all of it went back. */
function checkUnordered({ status, capturedCents, refundedCents }: RecordedPayment): string[] {
  if (status === 'authorized') return ['has no order and is still authorized']
  return capturedCents === refundedCents
    ? []
    : [`has no order, was charged ${capturedCents} and gave back ${refundedCents}`]
}

function checkOrderPayment(
  order: Order,
  { status, capturedCents, refundedCents }: RecordedPayment,
  decisions: Decisions,
): string[] {
  const findings: string[] = []
  const owed = sumOf(order.items)
  const expected = isWaiting(order, decisions) ? 'authorized' : 'succeeded'
  if (isCancelledBeforeShipment(order) ? status === 'authorized' : status !== expected)
    findings.push(`is ${status}`)
  if (capturedCents > 0 && capturedCents !== owed)
    findings.push(`was charged ${capturedCents}; the lines that were not refused come to ${owed}`)
  const toRefund = isCancelledBeforeShipment(order) ? capturedCents : 0
  if (refundedCents !== toRefund) findings.push(`gave back ${refundedCents} of ${capturedCents}`)
  if (cents(order.refunded) !== refundedCents)
    findings.push(`gave back ${refundedCents}, the order says ${order.refunded}`)
  // When no line is left, the total stays as placed.
  const total = order.items.length > 0 ? owed : sumOf(order.refusedItems)
  if (cents(order.total) !== total) findings.push(`has lines of ${total}, the order says ${order.total}`)
  return findings
}

/** Each line is as pharmacists decided, and no order was cancelled without a request. */
export function checkDecisions(
  orders: readonly Order[],
  decisions: Decisions,
  { cancelling }: Journal,
): string[] {
  const decisionOf = (line: OrderedLine): Decision | undefined => decisions.get(line.productVariantId)
  return orders.flatMap((order) => [
    ...(!isCancelled(order) && order.items.some((line) => decisionOf(line) === 'refuse')
      ? [`order ${order.id} keeps a line that pharmacists refuse`]
      : []),
    ...(order.refusedItems.some((line) => decisionOf(line) !== 'refuse')
      ? [`order ${order.id} lost a line that no pharmacist refused`]
      : []),
    ...(isCancelled(order) && order.items.length > 0 && !cancelling.has(order.id)
      ? [`order ${order.id} was cancelled without a request`]
      : []),
    ...((order.status === 'shipped' || order.hasShipped) && isWaiting(order, decisions)
      ? [`order ${order.id} shipped with an undecided line`]
      : []),
  ])
}

/** Everything that the shop acknowledged exists. */
export function checkAcknowledged(
  orders: readonly Order[],
  payments: readonly RecordedPayment[],
  journal: Journal,
): string[] {
  const findings: string[] = []
  const byId = new Map(orders.map((order) => [order.id, order]))
  for (const [id, { paymentId, total }] of journal.orders) {
    const order = byId.get(id)
    if (!order) findings.push(`order ${id} was acknowledged but is missing`)
    else if (
      order.stripePaymentId !== paymentId ||
      sumOf(order.items) + sumOf(order.refusedItems) !== cents(total)
    )
      findings.push(`order ${id} is another`)
  }
  const acknowledged = [
    [journal.cancelled, 'cancelled'],
    [journal.shipped, 'shipped'],
  ] as const
  for (const [ids, status] of acknowledged) {
    for (const id of ids) {
      const order = byId.get(id)
      const isThere = order?.status === status || (status === 'shipped' && order?.hasShipped === true)
      if (!isThere) findings.push(`order ${id} was ${status} and is ${order?.status}`)
    }
  }
  const known = new Map(payments.map((payment) => [payment.id, payment]))
  for (const id of journal.paid) {
    const status = known.get(id)?.status
    // An authorization without an order is voided.
    if (status !== 'succeeded' && status !== 'authorized' && status !== 'canceled')
      findings.push(`payment ${id} was acknowledged but is ${status ?? 'missing'}`)
  }
  return findings
}

/** Each variant's ledger is a chain that ends at its stock, and says what the orders say. */
export function checkLedger(
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
  const unitsOf = (lines: readonly OrderedLine[]): number =>
    lines
      .filter((line) => line.productVariantId === variantId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  const booked = (type: string): number =>
    entries
      .filter(({ transactionType }) => transactionType === type)
      .reduce((sum, { quantityChange }) => sum + quantityChange, 0)
  const placed = orders.flatMap(({ items, refusedItems }) => [...items, ...refusedItems])
  const returned = orders.flatMap((order) => [
    ...order.refusedItems,
    ...(isCancelledBeforeShipment(order) ? order.items : []),
  ])
  const [sold, back] = [unitsOf(placed), unitsOf(returned)]
  if (-booked('sale') !== sold)
    findings.push(`${variantId}: ${sold} were ordered, the ledger has ${-booked('sale')}`)
  if (booked('cancellation') !== back) {
    findings.push(`${variantId}: ${back} were cancelled, the ledger has ${booked('cancellation')}`)
  }
  return findings
}

export function checkAdjustments(entries: readonly Entry[], { adjusted, unsure }: Journal): string[] {
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
