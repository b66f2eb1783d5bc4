import type { Generated } from 'kysely'

/** The ledger of the simulated provider behind demo payments. */
export type DemoPaymentsTable = {
  id: string
  idempotencyKey: string
  /** The part of the client secret after `_secret_`. */
  secret: string
  checkoutId: string
  amountCents: number
  /** `authorized` only with manual capture. */
  status: 'unpaid' | 'requires_action' | 'authorized' | 'succeeded' | 'canceled'
  captureMethod: 'automatic' | 'manual'
  capturedCents: Generated<number>
  /** When its authorization lapses; without manual capture it has no meaning. */
  captureBefore: Date | null
  createdAt: Date
}

export type DemoRefundsTable = {
  idempotencyKey: string
  id: string
  paymentId: string
  amountCents: number
  createdAt: Date
}
