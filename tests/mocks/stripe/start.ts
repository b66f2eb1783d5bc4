import { CommandError, readOptions, runCommand } from '../../../scripts/run-command.ts'
import { startStripe } from './server.ts'
import { stripeKeys } from './stand-in.ts'

/**
 * `npm run stripe:stand-in -- [--port 12111] [--shop http://localhost:3000]`: for manual tests;
 * prints the shop's environment. The card fields come from Stripe itself, so without a Stripe
 * account only the checkout without scripts works.
 */
async function main(): Promise<number> {
  const { port, shop } = readArguments()
  const stripe = await startStripe(port)
  stripe.webhooks.connect({
    url: `${shop}/webhooks/stripe`,
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
  return 0
}

function readArguments(): { port: number; shop: string } {
  const usage = 'npm run stripe:stand-in -- [--port 12111] [--shop http://localhost:3000]'
  const { port, shop } = readOptions(usage, {
    port: { type: 'string', default: '12111' },
    shop: { type: 'string', default: 'http://localhost:3000' },
  })
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandError('--port needs a whole number from 0 to 65535, such as --port 12111.')
  if (!/^https?:\/\//.test(shop) || !URL.canParse(shop))
    throw new CommandError('--shop needs an address, such as --shop http://localhost:3000.')
  return { port: Number(port), shop }
}

await runCommand(main)
