import type { Generated } from 'kysely'
import type { CheckoutStatus, RefundReason } from '#domain/checkout/checkout.ts'

/** What somebody is paying for, frozen: prices, lines, address, prescription. */
export type CheckoutsTable = {
  id: string
  userId: string
  status: CheckoutStatus
  /** The provider's payment; null before there is one. */
  paymentId: string | null
  /** The provider's hosted page, when it is paid there. */
  sessionId: string | null
  amountCents: number
  /** `Frozen` as JSON, sealed under the shop's key. */
  sealedFrozen: string
  createdAt: Date
  /** When what it reserves goes back, unless it is ordered. */
  expiresAt: Date
  /** When the reconciler asks the provider about it next; null once nothing can happen any more. */
  checkAt: Date | null
  updatedAt: Date
}

/** Money to give back, or given. */
export type RefundsTable = {
  id: string
  idempotencyKey: string
  checkoutId: string
  /** Null when no order came of the payment. */
  orderId: string | null
  paymentId: string
  amountCents: number
  reason: RefundReason
  providerRefundId: string | null
  attempts: Generated<number>
  /** When it may be tried: at first its making, then the end of the taker's lease or of a pause; null once it is over. */
  dueAt: Date | null
  doneAt: Date | null
  /** When the provider refused it for good: somebody has to look. */
  failedAt: Date | null
  createdAt: Date
}

/** A line of an order that a refund is for, or that came back when the order was called off. */
export type RefundLinesTable = {
  /** The refund's, or where no money was left to give, an id of its own. */
  refundId: string
  orderId: string
  lineId: string
  quantity: number
  /** How many of them are back in stock. */
  restocked: number
  /** Whether whoever asked for it by line wanted that; null when nobody did. */
  restock: boolean | null
}

/** What a webhook told; ids only. */
export type PaymentEventsTable = {
  id: string
  type: string
  paymentId: string | null
  sessionId: string | null
  receivedAt: Date
  handledAt: Date | null
}
