import { expect, request, type APIRequestContext, type APIResponse, type Page } from '@playwright/test'
import { samplePdf } from './sample-files.ts'

/** The shop's origin; a browser that has not been there goes there. */
async function originOf(page: Page): Promise<string> {
  if (!page.url().startsWith('http')) await page.goto('/login')
  return new URL(page.url()).origin
}

async function ok(response: APIResponse, status = 200): Promise<APIResponse> {
  expect(response.status(), await response.text()).toBe(status)
  return response
}

let made = 0

/** The password of every customer that a browser becomes. */
export const customerPassword = 'long enough for this'

/**
 * Registers a customer of the browser's own, signed in, past the form; other tests on the same shop do not meet it. Returns its
 * e-mail address.
 */
export async function becomeCustomer(page: Page): Promise<string> {
  const origin = await originOf(page)
  const email = `browser-${process.pid}-${Date.now()}-${++made}@customer.example`
  const form = { firstName: 'Zoë', lastName: 'O’Hara', email, password: customerPassword }
  await ok(await page.request.post('/register', { form, headers: { origin }, maxRedirects: 0 }), 303)
  return email
}

async function uploadFile(page: Page, origin: string): Promise<string> {
  const headers = { origin }
  const asked = await ok(await page.request.post('/api/objects/upload', { headers }))
  const { uploadURL } = (await asked.json()) as { uploadURL: string }
  const sent = await ok(await page.request.put(uploadURL, { headers, data: samplePdf() }))
  return ((await sent.json()) as { url: string }).url
}

/** Puts the customer's ID document on file. */
export async function giveIdDocument(page: Page): Promise<void> {
  const origin = await originOf(page)
  const data = { idDocumentURL: await uploadFile(page, origin) }
  await ok(await page.request.put('/api/profile/id-document', { headers: { origin }, data }))
}

/** Uploads a prescription of the customer, past the page. Returns its id. */
export async function addPrescription(page: Page, details: Record<string, string> = {}): Promise<string> {
  const origin = await originOf(page)
  const data = { ...details, fileUrl: await uploadFile(page, origin) }
  const created = await ok(await page.request.post('/api/prescriptions', { headers: { origin }, data }), 201)
  return ((await created.json()) as { id: string }).id
}

/** The demo's admin, elsewhere: what is asked there does not touch this browser. To be disposed of. */
export async function openAdmin(page: Page): Promise<APIRequestContext> {
  const origin = await originOf(page)
  const admin = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
  const form = { email: 'admin@meridian.test', password: 'meridian-demo' }
  await ok(await admin.post('/login', { form, maxRedirects: 0 }), 303)
  return admin
}

/** Has the demo's admin decide on a prescription. */
export async function decide(
  page: Page,
  id: string,
  decision: { status: string; statusReason?: string },
): Promise<void> {
  const admin = await openAdmin(page)
  await ok(await admin.patch(`/api/prescriptions/${id}`, { data: decision }))
  await admin.dispose()
}

/** Orders two of the demo's best-known painkiller for the customer, past the pages. Returns the order's id. */
export async function placeOrder(page: Page): Promise<string> {
  const headers = { origin: await originOf(page) }
  const post = (path: string, data: object) => page.request.post(path, { headers, data })
  const found = await ok(await page.request.get('/api/products/search?q=ibuprofen&include=variants'))
  const products = (await found.json()) as {
    category: string
    variants: { id: string; price: string | null; stockQuantity: number }[]
  }[]
  const variant = products
    .filter(({ category }) => category === 'OTC')
    .flatMap(({ variants }) => variants)
    .find(({ price, stockQuantity }) => price !== null && stockQuantity >= 20)
  const items = [{ productVariantId: variant?.id, quantity: 2 }]
  const shippingAddress = '12 Harbour Lane, Portland, ME 04101, United States'
  const begun = await ok(await post('/api/create-payment-intent', { items, shippingAddress }))
  const { clientSecret } = (await begun.json()) as { clientSecret: string }
  const paid = await ok(
    await post('/demo-payments/confirm', { clientSecret, cardNumber: '4242 4242 4242 4242' }),
  )
  const { id: stripePaymentId } = (await paid.json()) as { id: string }
  const placed = await ok(await post('/api/orders', { stripePaymentId }), 201)
  return ((await placed.json()) as { id: string }).id
}
