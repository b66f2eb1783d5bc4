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
import { findAvailableVariants } from './demo-catalog.ts'
import type { Shop, ShopOptions, Visitor } from './shop.ts'
import { stripeEnv } from './stripe-env.ts'

export const webhookPath = '/webhooks/stripe'

/** The built shop with Stripe payments, and a mock of Stripe that sends it webhooks. */
export async function openStripeShop(
  openShop: (options?: ShopOptions) => Promise<Shop>,
  { env, ...options }: ShopOptions = {},
) {
  const stripe = await startStripe()
  onTestFinished(() => stripe.close())
  const shop = await openShop({ ...options, env: { ...stripeEnv(stripe), ...env } })
  const webhookSender = shop.visit()
  const connect = (overrides: Partial<Webhooks> = {}): void =>
    stripe.webhooks.connect({
      url: webhookPath,
      secrets: [stripeKeys.webhook],
      send: (url, init) => webhookSender.request(url, init),
      ...overrides,
    })
  connect()
  return { shop, stripe, connect }
}

/** The arguments of the shop's jobs, this many seconds from now. */
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

/** Signs in a new customer and creates a payment intent for one product. */
export async function startPaying(shop: Shop) {
  const customer = shop.visit()
  await signInAs(customer, shop.db, await makeUser(shop.db))
  const [{ variantId, priceCents }] = await findAvailableVariants(shop.db)
  const items = [{ productVariantId: variantId, quantity: 1 }]
  const shippingAddress = '1 Main St, Springfield, IL, 62704, USA'
  const intentReply = await postJson(customer, '/api/create-payment-intent', { items, shippingAddress })
  const { clientSecret } = (await intentReply.json()) as { clientSecret: string }
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

/** Sends a webhook. By default, its signature is valid. With null, it has none. */
export function sendWebhook(
  shop: Shop,
  body: string,
  overrides: { signature?: string | null; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { signature = signatureOf(body, [stripeKeys.webhook], Math.floor(Date.now() / 1000)) } = overrides
  return shop.visit().request(webhookPath, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== null && { 'stripe-signature': signature }),
      ...overrides.headers,
    },
    body,
  })
}

/** An event in Stripe's format, by default about a payment that is not the shop's. */
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
