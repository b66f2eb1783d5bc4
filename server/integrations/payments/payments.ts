/** What a provider says of a payment, in the shop's words. */
export type PaymentStatus =
  /** Nothing was paid yet; a card may have been declined. */
  | 'unpaid'
  /** The customer's bank asks for a second step. */
  | 'requires_action'
  /** Under way: neither paid nor refused yet. */
  | 'processing'
  | 'succeeded'
  | 'canceled'

export type Payment = {
  id: string
  status: PaymentStatus
  /** What is or was to be paid, in cents (USD). */
  amountCents: number
  refundedCents: number
  /** `{payment id}_secret_{…}`: lets a browser pay it, and nothing else. */
  clientSecret: string
  /** The checkout that it is for, as we told the provider; null for a payment that is not ours. */
  checkoutId: string | null
}

/** A page of the provider's, on which a browser without scripts pays. */
export type HostedSession = {
  id: string
  status: 'open' | 'complete' | 'expired'
  /** Where the browser goes; null once it is over. */
  url: string | null
  /** The payment that it made; null before there is one. */
  paymentId: string | null
  checkoutId: string | null
}

/** What a provider tells by webhook: something happened to a payment. */
export type PaymentEvent = {
  id: string
  type: string
  /** The payment that it is about; null when it is about none of ours. */
  paymentId: string | null
  /** The hosted session that it is about. */
  sessionId: string | null
}

export type NewPayment = { checkoutId: string; amountCents: number }
/** `failed` is for good: somebody has to look. Its id is null where none was made. */
export type Refund = { id: string | null; status: 'pending' | 'succeeded' | 'failed' }

/**
 * Takes money. Every call that creates or moves some is made under an idempotency key of ours (`{checkout}:intent`, …): made again,
 * it answers what it made before. Calls end after 8 s with at most one retry. What the provider is told names the checkout and the amount, never a
 * medicine or a person.
 * All throw UNAVAILABLE when the provider cannot be reached or fails.
 */
export type Payments = {
  kind: 'demo' | 'stripe'
  /** What a browser needs to show the provider's fields; null where the shop shows its own, or none is configured. */
  publishableKey: string | null
  /** Asked again for a checkout it answers how its payment stands by now. Throws INVALID (items) for an amount that no card pays. */
  createPayment: (payment: NewPayment) => Promise<Payment>
  /** Null when the provider knows none of this id. */
  findPayment: (id: string) => Promise<Payment | null>
  /**
   * Cancels a payment that was not paid. Answers how it stands afterwards: `succeeded` or `processing` when it was too late. One of a hosted
   * page stays as it is: the page is closed. Throws NOT_FOUND.
   */
  cancelPayment: (id: string) => Promise<Payment>
  /** Null where the provider has no such page. */
  hosted: {
    createSession: (
      payment: NewPayment & { successUrl: string; cancelUrl: string; expiresAt: Date },
    ) => Promise<HostedSession>
    findSession: (id: string) => Promise<HostedSession | null>
    /** Closes a page that was not paid on, and cancels its payment. Answers how it stands afterwards. Throws NOT_FOUND. */
    expireSession: (id: string) => Promise<HostedSession>
  } | null
  /**
   * Gives money back, never more than came; `key` names the refund, so that it is given once.
   * @param refund.isRetry whether it may have been given before: then it is looked for first, for a provider forgets keys
   */
  refund: (refund: {
    paymentId: string
    amountCents: number
    key: string
    isRetry?: boolean
  }) => Promise<Refund>
  /** Reads a webhook's raw body. Throws BAD_REQUEST when its signature is wrong, missing or older than 300 s. */
  readEvent: (rawBody: string, signature: string | null, now: Date) => PaymentEvent
}
