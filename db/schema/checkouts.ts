import type { ColumnType, Generated } from 'kysely'
import type { CheckoutStatus, RefundReason } from '#domain/checkout/checkout.ts'

/** A frozen purchase: prices, lines, address and prescription. */
export type CheckoutsTable = {
  id: string
  /** Blind index of the customer's id, which is in the sealed content only. */
  userHash: string
  status: CheckoutStatus
  /** The provider's payment. Null until it exists. */
  paymentId: string | null
  /** The provider's hosted page, if the customer pays there. */
  sessionId: string | null
  amountCents: number
  /** `CheckoutContent` as JSON, sealed under the shop's key. */
  sealedFrozen: string
  createdAt: Date
  /** When its reserved stock is released, unless it was ordered. */
  expiresAt: Date
  /** When the reconciler next queries the provider. Null once the checkout is final. */
  checkAt: Date | null
  updatedAt: Date
}

/** A refund, due or done. */
export type RefundsTable = {
  id: string
  idempotencyKey: string
  checkoutId: string
  /** Null when the payment created no order. */
  orderId: string | null
  paymentId: string
  amountCents: number
  reason: RefundReason
  providerRefundId: string | null
  attempts: Generated<number>
  /**
   * When the job may process it: on creation, then when a lease or a pause ends. Null once it is
   * done or failed.
   */
  dueAt: Date | null
  doneAt: Date | null
  /** When the provider rejected it for good. An admin must follow up. */
  failedAt: Date | null
  createdAt: Date
}

/** An order line that was refunded, or restocked when the order was cancelled. */
export type RefundLinesTable = {
  /** The refund's id. A new id if no money was left to refund. */
  refundId: string
  orderId: string
  lineId: string
  quantity: number
  /** How many units were restocked. */
  restocked: number
  /**
   * The positions of the units in the line, as JSON. Null when written before migration 0060.
   */
  positions: ColumnType<readonly number[] | null, string | null | undefined, never>
  /** Whether the admin requested a restock. Null when no line was requested. */
  restock: boolean | null
}

/** A webhook's event, by its ids only. */
export type PaymentEventsTable = {
  id: string
  type: string
  paymentId: string | null
  sessionId: string | null
  receivedAt: Date
  handledAt: Date | null
}
