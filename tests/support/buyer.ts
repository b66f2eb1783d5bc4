import { demoPassword } from '#server/demo/demo-accounts.ts'
import { z } from 'zod'
import { plainClient, type PlainClient, type Reply } from './http-client.ts'

/** A response with a status that the caller did not expect. */
export class UnexpectedReplyError extends Error {
  constructor(
    readonly reply: Reply,
    request: string,
  ) {
    super(`${request} returned ${reply.status}: ${reply.body.slice(0, 200)}`)
  }
}

const address = '12 Harbour Lane, Portland, ME 04101, United States'
export const goodCard = '4242424242424242'

/** A signed-in HTTP client of the built shop. It does not use the pages. */
export type Buyer = PlainClient & { email: string }

async function signedIn(origin: string, path: string, form: Record<string, string>): Promise<PlainClient> {
  const client = plainClient(origin)
  const reply = await client.send('POST', path, { form })
  if (reply.status !== 303) throw new UnexpectedReplyError(reply, `POST ${path}`)
  return client
}

/** Registers and signs in a new customer. */
export async function newBuyer(origin: string, name: string): Promise<Buyer> {
  const email = `${name}@customer.example`
  const form = { firstName: 'Zoë', lastName: 'O’Hara', email, password: 'long enough for this' }
  return { ...(await signedIn(origin, '/register', form)), email }
}

/** Signs in as the demo's admin. */
export const newAdmin = (origin: string): Promise<PlainClient> =>
  signedIn(origin, '/login', { email: 'admin@meridian.test', password: demoPassword })

/** Signs in as the demo's pharmacist, who has a recorded license. */
export const newPharmacist = (origin: string): Promise<PlainClient> =>
  signedIn(origin, '/login', { email: 'pharmacist@meridian.test', password: demoPassword })

/**
 * Another connection with the same session.
 * @param origin may be another process of the same shop
 */
export function sameSession(client: PlainClient, origin: string): PlainClient {
  const other = plainClient(origin)
  for (const [name, value] of client.cookies) other.cookies.set(name, value)
  return other
}

const intentSchema = z.object({ clientSecret: z.string(), total: z.string() })
export type Intent = z.infer<typeof intentSchema> & { paymentId: string }
export const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  total: z.string(),
  stripePaymentId: z.string(),
  items: z.array(z.object({ productVariantId: z.string(), quantity: z.number() })),
})

/** Creates a payment intent for these items. Throws UnexpectedReplyError. */
export async function createPaymentIntent(
  client: PlainClient,
  items: readonly { productVariantId: string; quantity: number }[],
): Promise<Intent> {
  const json = { items, shippingAddress: address }
  const reply = await client.send('POST', '/api/create-payment-intent', { json })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'create-payment-intent')
  const intent = intentSchema.parse(JSON.parse(reply.body))
  return { ...intent, paymentId: intent.clientSecret.split('_secret_')[0] ?? '' }
}

/** Confirms the payment with a demo card. Throws UnexpectedReplyError. */
export async function pay(
  client: PlainClient,
  { clientSecret }: Intent,
  cardNumber = goodCard,
): Promise<void> {
  const reply = await client.send('POST', '/demo-payments/confirm', { json: { clientSecret, cardNumber } })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'demo-payments/confirm')
}

/** Places the order for a confirmed payment. Throws UnexpectedReplyError. */
export async function placeOrder(
  client: PlainClient,
  { paymentId, total }: Intent,
): Promise<z.infer<typeof orderSchema>> {
  const json = { stripePaymentId: paymentId, total }
  const reply = await client.send('POST', '/api/orders', { json })
  if (reply.status !== 200 && reply.status !== 201) throw new UnexpectedReplyError(reply, 'orders')
  return orderSchema.parse(JSON.parse(reply.body))
}
