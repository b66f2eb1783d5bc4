import type { Db } from '#db/engine/client.ts'
import type { PaymentsEnv } from '../../env.ts'
import type { Payments } from './payments.ts'

/** Opens the configured payment provider; its library is loaded only when needed. */
export async function openPayments(env: PaymentsEnv, db: Db): Promise<Payments> {
  if (env.kind === 'stripe') {
    const { stripePayments } = await import('./stripe-payments.ts')
    return stripePayments(env)
  }
  const { demoPayments } = await import('./demo-payments.ts')
  return demoPayments(db)
}
