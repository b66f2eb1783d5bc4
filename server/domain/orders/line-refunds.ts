/** A stored refund of units of one line. */
export type RefundOfLine = {
  quantity: number
  restocked: number
  /** Whether staff chose to restock them. Null for a cancelled or refused line. */
  restock: boolean | null
  /** Null when no money went back. */
  createdAt: Date | null
  /** When the provider rejected it for good. */
  failedAt: Date | null
}

/** Units of a refund that failed for good, until another refund is made for them. */
export type FailedUnits = { quantity: number; restocked: number }

/** What the refunds of a line add up to, in units. */
export type LineRefunds = {
  /** In refunds that were made or are under way. */
  refunded: number
  /** In any refund, failed ones included. A unit that was refunded again counts once. */
  requested: number
  /** Back in stock. */
  restocked: number
  failed: readonly FailedUnits[]
}

export const noLineRefunds: LineRefunds = { refunded: 0, requested: 0, restocked: 0, failed: [] }

/**
 * How many units of a refund were in failed ones before, and how many of these are back in stock:
 * staff who see that a refund failed make it again.
 * @param failed is reduced by them
 */
function takeFailed(failed: readonly FailedUnits[], quantity: number): FailedUnits {
  const taken = { quantity: 0, restocked: 0 }
  for (const units of failed) {
    const count = Math.min(quantity - taken.quantity, units.quantity)
    const restocked = Math.min(count, units.restocked)
    taken.quantity += count
    taken.restocked += restocked
    units.quantity -= count
    units.restocked -= restocked
  }
  return taken
}

/** The units of a new refund that were in failed ones before. */
export const repeatedUnits = ({ failed }: LineRefunds, quantity: number): FailedUnits =>
  takeFailed(
    failed.map((units) => ({ ...units })),
    quantity,
  )

/** @param refunds of one line, oldest first */
export function sumLineRefunds(refunds: readonly RefundOfLine[]): LineRefunds {
  const sums = { refunded: 0, requested: 0, restocked: 0 }
  const failed: (FailedUnits & { failedAt: Date })[] = []
  for (const { quantity, restocked, restock, createdAt, failedAt } of refunds) {
    const known = failed.filter((units) => createdAt !== null && units.failedAt <= createdAt)
    // A cancelled or refused line returns only units that no refund requested.
    const repeated = takeFailed(restock === null ? [] : known, quantity)
    sums.refunded += failedAt === null ? quantity : 0
    sums.requested += quantity - repeated.quantity
    sums.restocked += restocked
    if (failedAt !== null) failed.push({ quantity, restocked: restocked + repeated.restocked, failedAt })
  }
  return { ...sums, failed: failed.filter(({ quantity }) => quantity > 0) }
}
