import type { LotAction, LotStatus } from '#domain/inventory/lots.ts'
import type { Generated } from 'kysely'

/** A lot of a variant. Never deleted: orders name it. */
export type StockLotsTable = {
  id: string
  variantId: string
  /** In upper case, as a pack prints it. */
  lotNumber: string
  /** YYYY-MM-DD, the last day of use. */
  expiresOn: string
  /** Part of the variant's stock while the lot is available, apart from it otherwise. */
  quantity: number
  status: LotStatus
  /** Rises with each action of staff. A sale does not raise it. */
  version: Generated<number>
  createdAt: Date
}

/** What happened to a lot besides receipts and sales. */
export type LotEventsTable = {
  id: string
  lotId: string
  action: LotAction
  reason: string | null
  /** Null when the shop did it by itself. */
  actorId: string | null
  at: Date
  /** How many units were written off. Null for other actions, and for rows from before 0064. */
  quantity: Generated<number | null>
}
