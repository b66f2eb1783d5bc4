import type { FillRow } from '#db/dispensing/fills.ts'
import type { PrescribedOrder } from '#db/dispensing/fill-figures.ts'
import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import type { PaymentHoldRow } from '#db/orders/payment-holds.ts'
import { sumLines } from '#domain/checkout/checkout.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import { unitRange } from '#domain/inventory/lots.ts'
import { noLineRefunds, unitsLeftToShip, type LineRefunds } from '#domain/orders/line-refunds.ts'
import { needsClearance } from '#domain/orders/order-status.ts'
import { remainingLines, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'

/** What `fills:verify` finds about one customer's items, and about one order. */

/** Whether fills stay within what their items authorize (docs/dispensing.md, rule 2). */
export function findItemFaults(items: readonly Item[], fills: readonly Fill[]): string[] {
  const known = new Map(items.map((item) => [item.id, item]))
  const counted = fills.filter(({ status }) => status !== 'released')
  return [
    ...items.flatMap((item) => {
      const authorized = item.unitsPerFill * (item.refills + 1)
      const used = sumOf(
        counted.filter(({ itemId }) => itemId === item.id),
        ({ units }) => units,
      )
      return used > authorized
        ? [`Item ${item.id}: its fills have ${used} units, but ${authorized} are authorized.`]
        : []
    }),
    ...counted.flatMap((fill) => {
      const item = known.get(fill.itemId)
      if (!item) return [`Fill ${fill.id}: its item belongs to another customer.`]
      return [
        ...(fill.units > item.unitsPerFill
          ? [`Fill ${fill.id}: it has ${fill.units} units, but one fill is at most ${item.unitsPerFill}.`]
          : []),
        ...(fill.ingredientSet === item.medicine.ingredientSet
          ? []
          : [`Fill ${fill.id}: its ingredients differ from its item’s.`]),
        ...((fill.status === 'dispensed') === (fill.dispensedAt !== null)
          ? []
          : [`Fill ${fill.id}: its dispensing time does not fit its status, ${fill.status}.`]),
      ]
    }),
  ]
}

export type OrderFacts = {
  order: PrescribedOrder
  content: OrderContent
  /** By line. */
  reviews: ReadonlyMap<string, LineReviewRow>
  /** By line: those that were not released. Decrypted units by fill, as far as their key exists. */
  fills: ReadonlyMap<string, FillRow>
  units: ReadonlyMap<string, number>
  hold: PaymentHoldRow | null
  /** Refunded, or to be refunded. */
  refundedCents: number
  /** By line. */
  lineRefunds: ReadonlyMap<string, LineRefunds>
}

/** Whether an order's lines, reviews, fills and payment agree. */
export function findOrderFaults(facts: OrderFacts): string[] {
  const { order, content, fills } = facts
  const prescribed = content.lines.filter(({ product }) => product.category === 'Rx')
  const lineIds = new Set(prescribed.map(({ id }) => id))
  return [
    ...prescribed.flatMap((line) => findLineFaults(facts, line)),
    ...[...fills.values()]
      .filter(({ lineId }) => !lineIds.has(lineId))
      .map(({ id }) => `fill ${id} is not for any of its prescription lines.`),
    ...findPaymentFaults(facts),
  ].map((fault) => `Order ${order.id}: ${fault}`)
}

function findLineFaults(
  { order, content, reviews, fills, units, lineRefunds }: OrderFacts,
  line: OrderLine,
): string[] {
  // A line from before prescriptions had items. It has a review only if it had not shipped yet.
  if (line.medicine === undefined) return []
  const what = `line ${line.id}`
  const [review, fill] = [reviews.get(line.id), fills.get(line.id)]
  if (!review) return [`${what} has no review.`]
  const faults: string[] = []
  const isRefused = content.refusedLines.some(({ lineId }) => lineId === line.id)
  const isShipped = needsClearance(order.status)
  if (isRefused !== (review.status === 'refused')) {
    faults.push(`${what} is ${isRefused ? 'refused' : 'kept'}, but its review says ${review.status}.`)
  }
  if (review.status === 'cleared' && review.decidedBy === order.userId && order.userId !== null) {
    faults.push(`${what} was cleared by its own patient.`)
  }
  // Refunded or restocked whole, before or after it shipped.
  const refunds = lineRefunds.get(line.id) ?? noLineRefunds
  const isReturned = unitsLeftToShip(line.quantity, refunds).length === 0
  const isEnded = isRefused || isReturned || order.status === 'cancelled'
  if (isEnded && fill && fill.status !== 'dispensed') {
    faults.push(`${what} will not leave the pharmacy, but its fill is ${fill.status}.`)
  }
  // The fills of a deleted account are deleted with it.
  if (order.userId === null) return faults
  if (!isEnded && isShipped && fill?.status !== 'dispensed') {
    faults.push(`${what} left the pharmacy, but its fill is ${fill?.status ?? 'missing'}.`)
  } else if (!isEnded && review.status === 'cleared' && (!fill || fill.status === 'reserved')) {
    faults.push(`${what} is cleared, but its fill is ${fill?.status ?? 'missing'}.`)
  }
  if (!fill) return faults
  if (review.fillId !== fill.id || review.itemId !== fill.itemId) {
    faults.push(`${what} has fill ${fill.id}, which its review does not name.`)
  }
  if ((fill.status === 'cleared' || fill.status === 'dispensed') && review.status !== 'cleared') {
    faults.push(`${what} has a ${fill.status} fill, but its review says ${review.status}.`)
  }
  const filled = units.get(fill.id)
  const isPart =
    fill.status === 'dispensed' && listDispensedUnits(line, refunds).some((possible) => possible === filled)
  if (filled !== undefined && filled !== line.units && !isPart) {
    faults.push(`${what} is for ${line.units} units, but its fill has ${filled}.`)
  }
  return faults
}

/**
 * The units that a line's fill may have been dispensed with: without any of the items that were
 * refunded, because each may have been refunded before it shipped or after.
 */
const listDispensedUnits = ({ quantity, units = 0 }: OrderLine, refunds: LineRefunds): number[] =>
  unitRange(quantity - refunds.units.length, quantity).map((items) => (units * items) / quantity)

/** Whether exactly the lines that were not refused were charged, once. */
function findPaymentFaults({ order, content, hold, refundedCents }: OrderFacts): string[] {
  if (content.lines.every(({ medicine }) => medicine === undefined)) return []
  if (!hold) return ['its payment was not authorized first.']
  const faults: string[] = []
  const { status, capturedCents } = hold
  const isCaptured = status === 'captured'
  if (order.capturedCents !== capturedCents) {
    faults.push(`it says that ${order.capturedCents} cents were captured, its payment ${capturedCents}.`)
  }
  if (!isCaptured && capturedCents > 0) {
    faults.push(`its payment is ${status}, but ${capturedCents} cents were captured.`)
  }
  if (capturedCents > hold.authorizedCents) {
    faults.push(`${capturedCents} cents were captured, but ${hold.authorizedCents} authorized.`)
  }
  if (needsClearance(order.status) && !isCaptured) {
    faults.push(`it is ${order.status}, but its payment is ${status}.`)
  }
  if (order.status === 'cancelled' && status === 'authorized') {
    faults.push('it is cancelled, but its payment is still authorized.')
  }
  if (isCaptured) {
    const late = refusedAfterCapture(content, capturedCents)
    if (late === null) {
      const left = sumLines(remainingLines(content))
      faults.push(`${capturedCents} cents were captured, but the lines that were not refused are ${left}.`)
    } else if (late > refundedCents) {
      faults.push(`${late} cents of refused lines were captured, but ${refundedCents} refunded.`)
    }
  }
  return faults
}

/**
 * The cents of lines that were refused after the capture, or null when no moment explains the
 * captured amount. Lines that were refused before it are not charged.
 */
function refusedAfterCapture(content: OrderContent, capturedCents: number): number | null {
  const refusals = content.refusedLines.toSorted((a, b) => a.at.localeCompare(b.at))
  for (let before = refusals.length; before >= 0; before--) {
    const charged = remainingLines({ ...content, refusedLines: refusals.slice(0, before) })
    if (sumLines(charged) === capturedCents) return capturedCents - sumLines(remainingLines(content))
  }
  return null
}

const sumOf = <Value>(values: readonly Value[], of: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0)
