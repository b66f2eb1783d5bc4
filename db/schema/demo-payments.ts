/** The ledger of the simulated provider behind demo payments. */
export type DemoPaymentsTable = {
  id: string
  idempotencyKey: string
  /** The part of the client secret after `_secret_`. */
  secret: string
  checkoutId: string
  amountCents: number
  status: 'unpaid' | 'requires_action' | 'succeeded' | 'canceled'
  createdAt: Date
}

export type DemoRefundsTable = {
  idempotencyKey: string
  id: string
  paymentId: string
  amountCents: number
  createdAt: Date
}
