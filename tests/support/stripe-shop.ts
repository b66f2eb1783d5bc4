import { newId } from '#domain/ids.ts'
import type { JobContext, UseCaseParts } from '#server/job-context.ts'
import { stripePayments } from '#server/integrations/payments/stripe-payments.ts'
import { createLog } from '#server/log.ts'
import { startStripe, type StripeServer } from '#tests/mocks/stripe/server.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { signatureOf, type Webhooks } from '#tests/mocks/stripe/webhooks.ts'
import { onTestFinished } from 'vitest'
import { makeUser, signInAs } from './accounts.ts'
import { jobParts, testKeys } from './context.ts'
import { findSold } from './demo-catalog.ts'
import type { Shop, ShopOptions, Visitor } from './shop.ts'

export const webhookPath = '/webhooks/stripe'

/** The built shop with Stripe's payments, before a stand-in of Stripe that tells it of what happens. */
export async function openStripeShop(
  openShop: (options?: ShopOptions) => Promise<Shop>,
  { env, ...options }: ShopOptions = {},
) {
  const stripe = await startStripe()
  onTestFinished(() => stripe.close())
  const shop = await openShop({ ...options, env: { ...stripeEnv(stripe), ...env } })
  const robot = shop.visit()
  const connect = (how: Partial<Webhooks> = {}): void =>
    stripe.webhooks.connect({
      url: webhookPath,
      secrets: [stripeKeys.webhook],
      send: (url, init) => robot.request(url, init),
      ...how,
    })
  connect()
  return { shop, stripe, connect }
}

/** The environment of a shop that takes its payments there. */
export const stripeEnv = ({ origin }: Pick<StripeServer, 'origin'>) => ({
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: stripeKeys.secret,
  STRIPE_PUBLISHABLE_KEY: stripeKeys.publishable,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhook,
  STRIPE_API_URL: origin,
})

/** What the shop's jobs get, so many seconds from now. */
export function jobsOf(
  shop: Shop,
  stripe: StripeServer,
  seconds = 0,
): [JobContext, UseCaseParts, AbortSignal] {
  const now = () => new Date(Date.now() + seconds * 1000)
  const payments = stripePayments({
    kind: 'stripe',
    secretKey: stripeKeys.secret,
    publishableKey: null,
    webhookSecret: stripeKeys.webhook,
    apiUrl: stripe.origin,
  })
  const job = { db: shop.db, log: createLog('silent'), keys: testKeys, now }
  return [job, { ...jobParts(shop.db), payments }, new AbortController().signal]
}

const postJson = (visitor: Visitor, path: string, body: unknown): Promise<Response> =>
  visitor.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A customer who has begun to pay for one medicine. */
export async function beginPaying(shop: Shop) {
  const customer = shop.visit()
  await signInAs(customer, shop.db, await makeUser(shop.db))
  const [{ variantId, priceCents }] = await findSold(shop.db)
  const items = [{ productVariantId: variantId, quantity: 1 }]
  const shippingAddress = '1 Main St, Springfield, IL, 62704, USA'
  const asked = await postJson(customer, '/api/create-payment-intent', { items, shippingAddress })
  const { clientSecret } = (await asked.json()) as { clientSecret: string }
  const paymentId = clientSecret.split('_secret_')[0] ?? ''
  return {
    customer,
    clientSecret,
    paymentId,
    variantId,
    priceCents,
    placeOrder: () => postJson(customer, '/api/orders', { stripePaymentId: paymentId, items }),
  }
}

/** Sends a webhook of this text; signed well unless `signature` says otherwise, null sends none. */
export function sendWebhook(
  shop: Shop,
  body: string,
  said: { signature?: string | null; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { signature = signatureOf(body, [stripeKeys.webhook], Math.floor(Date.now() / 1000)) } = said
  return shop.visit().request(webhookPath, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== null && { 'stripe-signature': signature }),
      ...said.headers,
    },
    body,
  })
}

/** An event as Stripe writes it, about a payment that is none of the shop's unless said. */
export const eventText = (
  type: string,
  object: Record<string, unknown> = {},
  id = `evt_${newId()}`,
): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    data: { object: { object: 'payment_intent', id: 'pi_foreign', ...object } },
  })
