import { lotsOfUnits } from '../inventory/lots.ts'
import { noLineRefunds, unitsLeftToShip, type LineRefunds } from './line-refunds.ts'
import type { OrderLine } from './orders.ts'

type CancelledLine = Pick<OrderLine, 'id' | 'quantity' | 'isTracked' | 'lots'>

/** What earlier refunds of an order already cover. */
export type EarlierRefunds = {
  /**
   * The sum of all earlier refunds, pending ones included. A refund that the provider rejected does
   * not count.
   */
  refundedCents: number
  /** By line. */
  lineRefunds: ReadonlyMap<string, LineRefunds>
}

/** `positions` are those of its units in the order's line. */
export type RemainingLine<Line extends CancelledLine> = Line & { positions: number[] }

/** What cancelling an order refunds of what was captured, and which units it returns to stock. */
export type Cancellation<Line extends CancelledLine = CancelledLine> = {
  refundCents: number
  /** The lines with the units that are left to ship, tracked or not. */
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
  { refundedCents, lineRefunds }: EarlierRefunds,
): Cancellation<Line> {
  const left = lines
    .map((line) => {
      const positions = unitsLeftToShip(line.quantity, lineRefunds.get(line.id) ?? noLineRefunds)
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
