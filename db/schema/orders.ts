import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { Generated } from 'kysely'

/** A paid order. */
export type OrdersTable = {
  id: string
  /** Null once the user is deleted. */
  userId: string | null
  checkoutId: string
  /** The provider's payment. Unique: one payment creates one order. */
  paymentId: string
  prescriptionId: string | null
  status: OrderStatus
  /**
   * For sorting and bounds: the lines that were not refused, but at least what was captured. Pages
   * compute the total from the lines.
   */
  totalCents: number
  /** What was charged. 0 until the authorization of a prescription order is captured. */
  capturedCents: number
  refundedCents: Generated<number>
  /** Whether a line needs a prescription. */
  hasRx: boolean
  /** `OrderContent` as JSON, sealed under the shop's key. */
  sealedOrder: string
  trackingNumber: string | null
  carrier: string | null
  /** `YYYY-MM-DD`. */
  estimatedDelivery: string | null
  /** When its lines were restocked. */
  restockedAt: Date | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

/** A later change of an order's status. */
export type OrderEventsTable = {
  id: string
  orderId: string
  status: OrderStatus
  /** Null when the shop itself changed it. */
  actorId: string | null
  at: Date
  /** What undoing it needs. Null for a change that can't be undone. */
  previousStatus: OrderStatus | null
  /** The order's version after the change. */
  orderVersion: number | null
  /** The email that waits until `undoUntil`; null when the change sends none. */
  mailId: string | null
  undoUntil: Date | null
  revertedAt: Date | null
  revertedBy: string | null
}

/** An order whose customer's former name is still to be indexed. */
export type OrdersToIndexTable = { orderId: string }

/** A note about an order for other admins. Deleted with the customer's account. */
export type OrderNotesTable = {
  id: string
  orderId: string
  authorId: string
  /** Sealed under the shop's key. */
  sealedNote: string
  createdAt: Date
}

/** What the orders of a day add up to; `listed` and `pending` without those of deleted users. */
export type OrderDaySumsTable = {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** Captured money less refunds. */
  cents: number
  orders: number
  listed: number
  pending: number
}

/** What a change of an order adds to its day. Triggers append it; a job folds it into the day. */
export type OrderSumChangesTable = OrderDaySumsTable & { id: Generated<number> }
