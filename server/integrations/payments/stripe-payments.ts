import type { PaymentsEnv } from '../../env.ts'
import { closedPayments } from './closed-payments.ts'
import type { Payments } from './payments.ts'

/** Stripe (https://docs.stripe.com/api). */
export const stripePayments = (_env: Extract<PaymentsEnv, { kind: 'stripe' }>): Payments => ({
  ...closedPayments,
  kind: 'stripe',
})
