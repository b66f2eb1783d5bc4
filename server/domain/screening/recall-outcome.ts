import type { AlertEffect, AlertLevel } from './alert.ts'
import { toLotKey } from './recall-codes.ts'

/** What of a recall decides about stock of its packages. */
export type RecallScope = {
  status: string
  isForAllLots: boolean
  /** Whether the report prints lots, and all of them could be read. */
  listsAllLots: boolean
  /** The recalled lots, at least those that the stock may have. */
  lots: readonly string[]
}

export type RecallOutcome = { level: AlertLevel; effect: AlertEffect }

/** A pending recall is in effect; the FDA has not classified it yet. */
export const ongoingStatuses: readonly string[] = ['Ongoing', 'Pending']

export const isOngoing = (status: string): boolean =>
  ongoingStatuses.some((ongoing) => ongoing.toLowerCase() === status.toLowerCase())

/** A recall that staff recorded and have ended: it was replaced by its official entry, or wrong. */
export const endedStatus = 'Ended'

/** Whether a recall lists a lot. */
export const listsLot = ({ lots }: Pick<RecallScope, 'lots'>, lot: string): boolean =>
  lots.some((one) => toLotKey(one) === toLotKey(lot))

/**
 * What a recall of a package means for stock of it: a listed lot, or an ongoing recall of all lots,
 * blocks. An ongoing recall where the lot is not known needs a look at the pack. Null when the lots
 * of the stock are known and none is recalled.
 * @param stock null when a lot of it is not known
 */
export function judgeRecall(recall: RecallScope, stock: readonly string[] | null): RecallOutcome | null {
  if (recall.status === endedStatus) return null
  if (stock?.some((lot) => listsLot(recall, lot))) return { level: 'high', effect: 'block' }
  const isOpen = isOngoing(recall.status)
  if (recall.isForAllLots)
    return isOpen ? { level: 'high', effect: 'block' } : { level: 'information', effect: null }
  // Both sides name lots, and none is the same.
  if (stock !== null && stock.length > 0 && recall.listsAllLots) return null
  return isOpen ? { level: 'medium', effect: 'check-pack' } : { level: 'information', effect: null }
}

/**
 * The same for a line whose units are in lots in part. Its known lots may block it; the others are
 * not known.
 */
export function judgeUnits(
  recall: RecallScope,
  { lots, quantity }: { lots: readonly { lotNumber: string; quantity: number }[]; quantity: number },
): RecallOutcome | null {
  const known = lots.map(({ lotNumber }) => lotNumber)
  const inLots = lots.reduce((sum, lot) => sum + lot.quantity, 0)
  const isKnown = known.length > 0 && inLots >= quantity
  return known.some((lot) => listsLot(recall, lot))
    ? judgeRecall(recall, known)
    : judgeRecall(recall, isKnown ? known : null)
}
