import { parseArgs } from 'node:util'
import { startStripe } from './server.ts'
import { stripeKeys } from './stand-in.ts'

/**
 * `npm run stripe:stand-in -- [--port 12111] [--shop http://localhost:3000]`: for manual tests;
 * prints the shop's environment. The card fields come from Stripe itself, so without a Stripe
 * account only the checkout without scripts works.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    shop: { type: 'string', default: 'http://localhost:3000' },
  },
})
const stripe = await startStripe(Number(values.port))
stripe.webhooks.connect({
  url: `${values.shop}/webhooks/stripe`,
  secrets: [stripeKeys.webhook],
  retries: 5,
  retryMs: 2000,
})
console.log(
  [
    'PAYMENTS=stripe',
    `STRIPE_API_URL=${stripe.origin}`,
    `STRIPE_SECRET_KEY=${stripeKeys.secret}`,
    `STRIPE_PUBLISHABLE_KEY=${stripeKeys.publishable}`,
    `STRIPE_WEBHOOK_SECRET=${stripeKeys.webhook}`,
  ].join(' \\\n  '),
)
