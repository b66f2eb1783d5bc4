import type { StockChange } from '#db/inventory/stock-change.ts'
import type { LotStatus } from '#domain/inventory/lots.ts'
import type { LedgerEntry } from '../ledger/record-stock-changes.ts'

const notes = {
  available: (lotNumber: string) => `Lot ${lotNumber} released from quarantine`,
  quarantined: (lotNumber: string) => `Lot ${lotNumber} in quarantine`,
  expired: (lotNumber: string) => `Lot ${lotNumber} expired`,
} as const satisfies Record<LotStatus, (lotNumber: string) => string>

/** The ledger's entry for units that enter or leave the stock with the status of their lot. */
export const toLotEntry = (
  { lotNumber }: { lotNumber: string },
  change: StockChange,
  status: LotStatus,
  reason: string | null = null,
): LedgerEntry => ({
  change,
  transactionType: status === 'expired' ? 'expired' : 'adjustment',
  notes: [notes[status](lotNumber), reason].filter((text) => text !== null).join(': '),
})
