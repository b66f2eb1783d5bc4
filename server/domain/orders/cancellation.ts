import { lotsOfUnits, unitRange } from '../inventory/lots.ts'
import type { OrderLine } from './orders.ts'

type CancelledLine = Pick<OrderLine, 'id' | 'quantity' | 'isTracked' | 'lots'>

/** What earlier refunds of an order already cover. */
export type EarlierRefunds = {
  /**
   * The sum of all earlier refunds, pending ones included. A refund that the provider rejected does
   * not count.
   */
  refundedCents: number
  /** The units in these refunds, by line. */
  units: ReadonlyMap<string, number>
}

/** `positions` are those of its units in the order's line. */
export type RemainingLine<Line extends CancelledLine> = Line & { positions: number[] }

/** What cancelling an order refunds of what was captured, and which units it returns to stock. */
export type Cancellation<Line extends CancelledLine = CancelledLine> = {
  refundCents: number
  /** The lines with the units that are in no earlier refund, tracked or not. */
  lines: RemainingLine<Line>[]
  /** The units among them whose stock is tracked. */
  restockedUnits: number
}

/** The part of a payment that can still be refunded: nothing before it is captured. */
export const leftToRefund = (capturedCents: number, refundedCents: number): number =>
  Math.max(0, capturedCents - refundedCents)

/**
 * Computes the refund and the restocked units of an order that is cancelled before it ships. The
 * previews, the pages, the email and the refund itself all use these figures.
 */
export function computeCancellation<Line extends CancelledLine>(
  { capturedCents, lines }: { capturedCents: number; lines: readonly Line[] },
  { refundedCents, units }: EarlierRefunds,
): Cancellation<Line> {
  const left = lines
    .map((line) => {
      const refunded = units.get(line.id) ?? 0
      const positions = unitRange(refunded, line.quantity)
      return {
        ...line,
        positions,
        quantity: positions.length,
        ...(line.lots && { lots: lotsOfUnits(line.lots, positions) }),
      }
    })
    .filter(({ quantity }) => quantity > 0)
  return {
    refundCents: leftToRefund(capturedCents, refundedCents),
    lines: left,
    restockedUnits: left.reduce((sum, { isTracked, quantity }) => sum + (isTracked ? quantity : 0), 0),
  }
}
