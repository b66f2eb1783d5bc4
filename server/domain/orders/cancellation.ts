import type { OrderLine } from './orders.ts'

type CancelledLine = Pick<OrderLine, 'id' | 'quantity' | 'isTracked'>

/** What earlier refunds of an order took care of. */
export type EarlierRefunds = {
  /**
   * All of them together, made or still to be made; a refund that the provider refused does not
   * count.
   */
  refundedCents: number
  /** Units that they name, by line. */
  units: ReadonlyMap<string, number>
}

/** What cancelling an order refunds, and which units it returns to stock. */
export type Cancellation<Line extends CancelledLine = CancelledLine> = {
  refundCents: number
  /** The lines with the units that no earlier refund names, tracked or not. */
  lines: Line[]
  /** Units of tracked lines among them. */
  restockedUnits: number
}

/** The part of a payment that can still be refunded. */
export const leftToRefund = (totalCents: number, refundedCents: number): number =>
  Math.max(0, totalCents - refundedCents)

/**
 * What cancelling an order before it ships comes to. The previews, the pages, the email and the
 * refund itself all take their figures from here.
 */
export function cancellationOf<Line extends CancelledLine>(
  { totalCents, lines }: { totalCents: number; lines: readonly Line[] },
  { refundedCents, units }: EarlierRefunds,
): Cancellation<Line> {
  const left = lines
    .map((line) => ({ ...line, quantity: line.quantity - (units.get(line.id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
  return {
    refundCents: leftToRefund(totalCents, refundedCents),
    lines: left,
    restockedUnits: left.reduce((sum, { isTracked, quantity }) => sum + (isTracked ? quantity : 0), 0),
  }
}
