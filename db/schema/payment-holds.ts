import type { PaymentHoldStatus } from '#domain/orders/payment-hold.ts'
import type { Generated } from 'kysely'

/** The authorization of a checkout with prescription lines, and what becomes of it. */
export type PaymentHoldsTable = {
  checkoutId: string
  /** Null while there is no order. */
  orderId: string | null
  paymentId: string
  status: PaymentHoldStatus
  authorizedCents: number
  /** What to capture. Set before the provider is called, and never changed afterwards. */
  amountCents: number | null
  capturedCents: Generated<number>
  /** When the authorization lapses, as the provider reports it. Null when it reports none. */
  captureBefore: Date | null
  /** When the job acts next. Null once nothing is left to do. */
  dueAt: Date | null
  attempts: Generated<number>
  /** When the provider refused the capture. */
  refusedAt: Date | null
  /** When staff were warned that it lapses soon. */
  warnedAt: Date | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
