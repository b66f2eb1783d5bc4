import type { StripeServer } from '#tests/mocks/stripe/server.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'

/** The environment of a shop that uses this Stripe server. */
export const stripeEnv = ({ origin }: Pick<StripeServer, 'origin'>) => ({
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: stripeKeys.secret,
  STRIPE_PUBLISHABLE_KEY: stripeKeys.publishable,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhook,
  STRIPE_API_URL: origin,
})
