import { unitRange } from '../inventory/lots.ts'

/** A stored refund of units of one line. */
export type RefundOfLine = {
  quantity: number
  restocked: number
  /** The positions of its units in the line; null when stored before they were recorded. */
  positions: readonly number[] | null
  /** Whether staff chose to restock them. Null for a cancelled or refused line. */
  restock: boolean | null
  /** Null when no money went back. */
  createdAt: Date | null
  /** When the provider rejected it for good. */
  failedAt: Date | null
}

/** A unit that a refund has requested. */
export type RequestedUnit = {
  /** When its latest refund failed for good. Null when one was made or is under way. */
  failedAt: Date | null
  isRestocked: boolean
}

/** The refunds of a line. */
export type LineRefunds = {
  /** The units that any refund has requested, by position in the line, from its first unit. */
  units: readonly RequestedUnit[]
  /** How many of them are in refunds that were made or are under way. */
  refunded: number
  /** How many units these refunds have put back into stock. */
  restocked: number
}

export const noLineRefunds: LineRefunds = { units: [], refunded: 0, restocked: 0 }

const hasFailed = ({ failedAt }: RequestedUnit): boolean => failedAt !== null

/**
 * The positions of the units that another refund takes: first those whose refund has failed,
 * because staff who see that make it again.
 */
export function nextUnits(
  units: readonly RequestedUnit[],
  quantity: number,
  canRepeat: (unit: RequestedUnit) => boolean = hasFailed,
): number[] {
  const repeated = units.flatMap((unit, position) => (canRepeat(unit) ? [position] : []))
  return [...repeated, ...unitRange(units.length, units.length + quantity)].slice(0, quantity)
}

/** @param refunds of one line, oldest first */
export function sumLineRefunds(refunds: readonly RefundOfLine[]): LineRefunds {
  const units: RequestedUnit[] = []
  for (const { quantity, restocked, positions, restock, createdAt, failedAt } of refunds) {
    // Stored before positions were: a cancelled or refused line returned only units that no refund
    // had requested.
    const canRepeat = (unit: RequestedUnit): boolean =>
      restock !== null && createdAt !== null && unit.failedAt !== null && unit.failedAt <= createdAt
    let left = restocked
    for (const position of positions ?? nextUnits(units, quantity, canRepeat)) {
      const earlier = units[position]
      const isRestocked = earlier?.isRestocked || left > 0
      if (!earlier?.isRestocked) left--
      units[position] = { failedAt: earlier?.failedAt === null ? null : failedAt, isRestocked }
    }
  }
  return {
    units,
    refunded: units.filter((unit) => !hasFailed(unit)).length,
    restocked: refunds.reduce((sum, { restocked }) => sum + restocked, 0),
  }
}

/**
 * The positions of a line's units that are left to ship: neither refunded nor back in stock. A unit
 * that was restocked may be sold again, so it stays there when its refund fails.
 */
export const unitsLeftToShip = (lineQuantity: number, { units }: Pick<LineRefunds, 'units'>): number[] =>
  unitRange(0, lineQuantity).filter((position) => {
    const unit = units[position]
    return !unit || (hasFailed(unit) && !unit.isRestocked)
  })
