import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { Generated } from 'kysely'

/** What somebody bought. */
export type OrdersTable = {
  id: string
  /** Null once the user is deleted. */
  userId: string | null
  checkoutId: string
  /** The provider's payment, unique: paid once, ordered once. */
  paymentId: string
  prescriptionId: string | null
  status: OrderStatus
  totalCents: number
  refundedCents: Generated<number>
  /** Whether a line needs a prescription. */
  hasRx: boolean
  /** `OrderContent` as JSON, sealed under the shop's key. */
  sealedOrder: string
  trackingNumber: string | null
  carrier: string | null
  /** `YYYY-MM-DD`. */
  estimatedDelivery: string | null
  /** When its lines went back into stock. */
  restockedAt: Date | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

/** A change of an order's status after it was placed. */
export type OrderEventsTable = {
  id: string
  orderId: string
  status: OrderStatus
  /** Null when the shop itself did it. */
  actorId: string | null
  at: Date
}

/** An order whose customer's name of then is not among what they are found by yet. */
export type OrdersToIndexTable = { orderId: string }

/** What an admin wrote down about an order, for other admins; deleted with its customer's account. */
export type OrderNotesTable = {
  id: string
  orderId: string
  authorId: string
  /** Sealed under the shop's key. */
  sealedNote: string
  createdAt: Date
}
