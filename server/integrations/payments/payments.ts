/** The status of a payment, independent of the provider. */
export type PaymentStatus =
  /** Not paid yet; a card may have been declined. */
  | 'unpaid'
  /** The customer's bank requires a verification. */
  | 'requires_action'
  /** Pending: neither paid nor declined yet. */
  | 'processing'
  /** The amount is held on the card and waits for `capturePayment` or `voidPayment`. */
  | 'authorized'
  /** Captured: in full, or a part of what was authorized. */
  | 'succeeded'
  | 'canceled'

export type Payment = {
  id: string
  status: PaymentStatus
  /** In cents (USD). */
  amountCents: number
  /** What was charged: at most `amountCents`, and 0 while it is authorized. */
  capturedCents: number
  /** How much of `capturedCents` was refunded. A part that was never captured is not a refund. */
  refundedCents: number
  /** When the authorization lapses; null when nothing is authorized or the provider did not say. */
  captureBefore: Date | null
  /** `{payment id}_secret_{…}`: allows a browser to pay it, and nothing else. */
  clientSecret: string
  /** From the payment's metadata; null for a payment that is not ours. */
  checkoutId: string | null
}

/** Whether the customer has done their part: the amount was charged, or it can be captured. */
export const isPaid = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'succeeded' || status === 'authorized'

/** The provider's payment page, for browsers without scripts. */
export type HostedSession = {
  id: string
  status: 'open' | 'complete' | 'expired'
  /** Where the browser goes; null when it is complete or expired. */
  url: string | null
  /** The payment made on the page; null before there is one. */
  paymentId: string | null
  checkoutId: string | null
}

/** A webhook event about a payment. */
export type PaymentEvent = {
  id: string
  type: string
  /** The payment of the event, if any. */
  paymentId: string | null
  /** The hosted session of the event, if any. */
  sessionId: string | null
}

export type NewPayment = {
  checkoutId: string
  amountCents: number
  /** `manual` authorizes only: the shop captures or voids it later. Cards only. */
  capture: 'automatic' | 'manual'
}

/**
 * `captured`: by this call or an earlier one; `payment.capturedCents` says how much. `refused`: the
 * provider does not capture this amount; the payment may still be authorized. `lapsed`: nothing is
 * authorized any more, because it expired, was voided or was never paid.
 */
export type Capture = { status: 'captured' | 'refused' | 'lapsed'; payment: Payment }

/**
 * `failed` is permanent: an admin must handle it. `id` is null when the provider made no refund.
 */
export type Refund = { id: string | null; status: 'pending' | 'succeeded' | 'failed' }

/**
 * The port to the payment provider. Every call that creates or moves money has an idempotency key
 * of ours (`{checkout}:intent`, …): a repeated call returns the first result. Each request ends
 * after 8 s with at most one retry. A second request reads the payment where the first one's
 * outcome is uncertain. The provider gets the checkout's id and the amount, never a medicine or a
 * person. All calls throw UNAVAILABLE when the provider cannot be reached or fails.
 */
export type Payments = {
  kind: 'demo' | 'stripe'
  /** For the provider's card fields; null when the shop shows its own or none is configured. */
  publishableKey: string | null
  /**
   * Creates the payment of a checkout; a repeated call returns its current state. Throws INVALID
   * (items) for an amount that no card can pay.
   */
  createPayment: (payment: NewPayment) => Promise<Payment>
  /** Null when the provider has no such payment. */
  findPayment: (id: string) => Promise<Payment | null>
  /**
   * Cancels an unpaid payment and returns its state afterwards: `succeeded`, `authorized` or
   * `processing` when it was too late, for it never voids an authorization. A hosted page's payment
   * does not change: expire its page instead. Throws NOT_FOUND.
   */
  cancelPayment: (id: string) => Promise<Payment>
  /**
   * Captures an authorized payment, once: the rest of the authorization is released. Under one key
   * the amount is always the same. An UNAVAILABLE capture may have been made: call it again with
   * the same key and amount. Throws NOT_FOUND.
   */
  capturePayment: (capture: { paymentId: string; amountCents: number; key: string }) => Promise<Capture>
  /**
   * Voids an authorized payment and returns its state afterwards: `succeeded` when it was captured
   * first. An unpaid payment is canceled. Throws NOT_FOUND.
   */
  voidPayment: (payment: { paymentId: string; key: string }) => Promise<Payment>
  /** Null when the provider has no payment page. */
  hosted: {
    createSession: (
      payment: NewPayment & { successUrl: string; cancelUrl: string; expiresAt: Date },
    ) => Promise<HostedSession>
    findSession: (id: string) => Promise<HostedSession | null>
    /** Expires an unpaid page, cancels its payment and returns its state. Throws NOT_FOUND. */
    expireSession: (id: string) => Promise<HostedSession>
  } | null
  /**
   * Refunds a payment, never more than was captured. The idempotency key ensures that it is made
   * once.
   * @param refund.isRetry whether it may have been made before: the adapter then searches for it
   * first, because providers forget keys
   */
  refund: (refund: {
    paymentId: string
    amountCents: number
    key: string
    isRetry?: boolean
  }) => Promise<Refund>
  /** Parses a webhook. Throws BAD_REQUEST when the signature is invalid or older than 300 s. */
  readEvent: (rawBody: string, signature: string | null, now: Date) => PaymentEvent
}
