import type { LedgerChange } from '../ledger/ledger.ts'
import type { TransactionType } from './inventory.ts'
import type { LotAction } from './lots.ts'

/** An action on a lot, as it is stored. `quantity` is only known of units that were written off. */
export type LotEvent = {
  id: string
  action: LotAction
  reason: string | null
  actorId: string | null
  at: Date
  quantity: number | null
}

/** A row of a lot's history, with an ISO 8601 time. Without `units`, the number was not stored. */
export type LotHistoryRow = { id: string; at: string } & (
  | { kind: 'action'; action: LotAction; units: number | null; reason: string | null; actorId: string | null }
  | { kind: 'change'; type: TransactionType; change: number; notes: string | null }
)

export type LotHistory = {
  /** Newest first. */
  rows: LotHistoryRow[]
  /** Sales and cancellations that are not among the rows: how many, and the sum of their units. */
  earlierSales: { count: number; change: number }
}

/** A change of the variant's stock. `recordedAt` is the time of the clock that wrote it. */
type LotChange = Pick<LedgerChange, 'id' | 'at' | 'type' | 'notes' | 'lots'> & { recordedAt: number }

/** How many sales and cancellations a lot's history shows one by one. */
export const shownSales = 50

/**
 * Everything that happened to a lot's units. An action that moved units has a row of the ledger
 * too, of the same time: the two become one.
 * @param events newest first
 * @param changes of the variant's stock, newest first; those of other lots are left out
 */
export function toLotHistory(
  lotId: string,
  events: readonly LotEvent[],
  changes: readonly LotChange[],
): LotHistory {
  const rest = [...events]
  const rows: LotHistoryRow[] = []
  const earlierSales = { count: 0, change: 0 }
  let sales = 0
  for (const { id, at: placeMs, recordedAt, type, notes, lots = [] } of changes) {
    const at = new Date(placeMs)
    const change = lots.reduce((sum, lot) => (lot.lotId === lotId ? sum + lot.change : sum), 0)
    if (change === 0) continue
    const place = rest.findIndex(
      (event) => event.at.getTime() === recordedAt && writesRow(event.action, type, change),
    )
    const [event] = place < 0 ? [] : rest.splice(place, 1)
    const isSale = type === 'sale' || type === 'cancellation'
    if (event) rows.push(toAction({ ...event, at }, Math.abs(change)))
    else if (!isSale || ++sales <= shownSales)
      rows.push({ kind: 'change', id, at: at.toISOString(), type, change, notes })
    else {
      earlierSales.count++
      earlierSales.change += change
    }
  }
  const others = rest.map((event) => toAction(event, event.quantity))
  return {
    rows: [...others, ...rows].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    earlierSales,
  }
}

/** Whether an action writes such a row of the ledger. */
const writesRow = (action: LotAction, type: TransactionType, change: number): boolean =>
  ({
    quarantined: type === 'adjustment' && change < 0,
    released: type === 'adjustment' && change > 0,
    expired: type === 'expired' && change < 0,
    'written-off': false,
  })[action]

const toAction = ({ id, action, reason, actorId, at }: LotEvent, units: number | null): LotHistoryRow => ({
  kind: 'action',
  id,
  at: at.toISOString(),
  action,
  units,
  reason,
  actorId,
})
