import { randomUUID } from 'node:crypto'
import { expect, request, type APIRequestContext, type APIResponse, type Page } from '@playwright/test'
import { dateBefore } from './dates.ts'
import { samplePdf } from './sample-files.ts'

/** The shop's origin. Opens the shop first if the page has not loaded it yet. */
async function originOf(page: Page): Promise<string> {
  if (!page.url().startsWith('http')) await page.goto('/login')
  return new URL(page.url()).origin
}

async function ok(response: APIResponse, status = 200): Promise<APIResponse> {
  expect(response.status(), await response.text()).toBe(status)
  return response
}

let createdCustomers = 0

/** The password of every customer that `signInNewCustomer` registers. */
export const customerPassword = 'long enough for this'

/**
 * Registers and signs in a new customer, without the form. Returns their email address. No other
 * test uses this customer.
 */
export async function signInNewCustomer(page: Page): Promise<string> {
  const origin = await originOf(page)
  const email = `browser-${process.pid}-${Date.now()}-${++createdCustomers}@customer.example`
  const form = { firstName: 'Zoë', lastName: 'O’Hara', email, password: customerPassword }
  await ok(await page.request.post('/register', { form, headers: { origin }, maxRedirects: 0 }), 303)
  return email
}

/** The token of the link that confirms a new customer's address. */
export async function findConfirmationToken(page: Page, email: string): Promise<string> {
  const outbox = await (await ok(await page.request.get('/demo/outbox'))).text()
  const mail = outbox.split('<li').find((item) => item.includes(email) && item.includes('/confirm-email?'))
  return /\/confirm-email\?token=([\w-]+)/.exec(mail ?? '')?.[1] ?? ''
}

/** Confirms a new customer's address by the emailed link, without the page. */
export async function confirmAddress(page: Page, email: string): Promise<void> {
  const form = { token: await findConfirmationToken(page, email) }
  const headers = { origin: await originOf(page) }
  await ok(await page.request.post('/confirm-email', { form, headers, maxRedirects: 0 }), 303)
}

async function uploadFile(page: Page, origin: string, file = samplePdf()): Promise<string> {
  const headers = { origin }
  const ticketReply = await ok(await page.request.post('/api/objects/upload', { headers }))
  const { uploadURL } = (await ticketReply.json()) as { uploadURL: string }
  const uploadReply = await ok(await page.request.put(uploadURL, { headers, data: file }))
  return ((await uploadReply.json()) as { url: string }).url
}

/** Uploads the customer's ID document, without the page. */
export async function uploadIdDocument(page: Page): Promise<void> {
  const origin = await originOf(page)
  const data = { idDocumentURL: await uploadFile(page, origin) }
  await ok(await page.request.put('/api/profile/id-document', { headers: { origin }, data }))
}

/** A file that no other customer uploaded: the shop reports the same file twice. */
const ownFile = (): Buffer => samplePdf(randomUUID())

/** Uploads a prescription of the customer, without the page. Returns its id. */
export async function addPrescription(
  page: Page,
  details: Record<string, string> = {},
  file = ownFile(),
): Promise<string> {
  const origin = await originOf(page)
  const data = { ...details, fileUrl: await uploadFile(page, origin, file) }
  const created = await ok(await page.request.post('/api/prescriptions', { headers: { origin }, data }), 201)
  return ((await created.json()) as { id: string }).id
}

/**
 * Signs in as a person of the demo, separately from this browser. The caller disposes of the
 * context.
 */
async function openAs(page: Page, person: 'admin' | 'pharmacist'): Promise<APIRequestContext> {
  const origin = await originOf(page)
  const context = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
  const form = { email: `${person}@meridian.test`, password: 'meridian-demo' }
  await ok(await context.post('/login', { form, maxRedirects: 0 }), 303)
  return context
}

/** The same for the demo's admin. */
export const openAdmin = (page: Page): Promise<APIRequestContext> => openAs(page, 'admin')

/**
 * Registers and signs in another pharmacist, whose role and license the demo's admin has recorded.
 */
export async function signInNewPharmacist(page: Page): Promise<void> {
  const email = await signInNewCustomer(page)
  const { id } = (await (await ok(await page.request.get('/api/auth/user'))).json()) as { id: string }
  const admin = await openAdmin(page)
  await ok(await admin.post('/trpc/users.setRoles', { data: { id, before: [], roles: ['pharmacist'] } }))
  const license = {
    intent: 'record-license',
    number: 'RPH-0148',
    jurisdiction: 'OR',
    numberBefore: '',
    jurisdictionBefore: '',
    code: '',
  }
  await ok(await admin.post(`/admin/users/${id}`, { form: license, maxRedirects: 0 }), 303)
  await admin.dispose()
  // Another role ends every session.
  const form = { email, password: customerPassword }
  const headers = { origin: await originOf(page) }
  await ok(await page.request.post('/login', { form, headers, maxRedirects: 0 }), 303)
}

/** Approves or rejects a prescription as the demo's admin. */
export async function reviewPrescription(
  page: Page,
  id: string,
  decision: { status: string; statusReason?: string },
): Promise<void> {
  const admin = await openAdmin(page)
  await ok(await admin.patch(`/api/prescriptions/${id}`, { data: decision }))
  await admin.dispose()
}

/** Orders two packages of ibuprofen for the customer, without the pages. Returns the order's id. */
export const placeOrder = async (page: Page): Promise<string> =>
  order(page, { items: [{ productVariantId: await findOtcVariant(page), quantity: 2 }] })

/** A package of ibuprofen that is in stock. */
async function findOtcVariant(page: Page): Promise<string | undefined> {
  const found = await ok(await page.request.get('/api/products/search?q=ibuprofen&include=variants'))
  const products = (await found.json()) as {
    category: string
    variants: { id: string; price: string | null; stockQuantity: number }[]
  }[]
  return products
    .filter(({ category }) => category === 'OTC')
    .flatMap(({ variants }) => variants)
    .find(({ price, stockQuantity }) => price !== null && stockQuantity >= 20)?.id
}

type Purchase = { items: object[]; prescriptionId?: string | null; cardNumber?: string }

/** Pays for items with one of the demo's cards. Returns the payment's id. */
async function pay(
  page: Page,
  { items, prescriptionId = null, cardNumber = '4242 4242 4242 4242' }: Purchase,
): Promise<string> {
  const headers = { origin: await originOf(page) }
  const post = (path: string, data: object) => page.request.post(path, { headers, data })
  const shippingAddress = '12 Harbour Lane, Portland, ME 04101, United States'
  const intentReply = await ok(
    await post('/api/create-payment-intent', { items, shippingAddress, prescriptionId }),
  )
  const { clientSecret } = (await intentReply.json()) as { clientSecret: string }
  const paymentReply = await ok(await post('/demo-payments/confirm', { clientSecret, cardNumber }))
  return ((await paymentReply.json()) as { id: string }).id
}

/** Pays for items and places the order. Returns its id. */
async function order(page: Page, purchase: Purchase): Promise<string> {
  const headers = { origin: await originOf(page) }
  const data = {
    stripePaymentId: await pay(page, purchase),
    prescriptionId: purchase.prescriptionId ?? null,
  }
  const orderReply = await ok(await page.request.post('/api/orders', { headers, data }), 201)
  return ((await orderReply.json()) as { id: string }).id
}

/** A prescription that the customer sends, with an order of two medicines on it. */
export type OrderOnPrescription = {
  orderId: string
  prescriptionId: string
  medicines: { variantId: string; name: string; strength: string; units: number }[]
}

/**
 * Orders a pack of two prescription medicines on a new prescription, without the pages. The
 * customer's profile has what a pharmacist needs.
 */
export async function orderOnPrescription(page: Page, file = ownFile()): Promise<OrderOnPrescription> {
  const origin = await originOf(page)
  const headers = { origin }
  const profile = { dateOfBirth: '1984-03-12', allergies: 'No known allergies' }
  await ok(await page.request.patch('/api/profile', { headers, data: profile }))
  const prescriptionId = await addPrescription(page, { doctorName: 'Dr. Natarajan' }, file)
  const medicines = [
    await findMedicine(page, 'lisinopril', '20'),
    await findMedicine(page, 'amlodipine', '10'),
  ]
  const orderId = await order(page, {
    items: medicines.map(({ variantId }) => ({ productVariantId: variantId, quantity: 1 })),
    prescriptionId,
  })
  return { orderId, prescriptionId, medicines }
}

/**
 * Orders two medicines of a prescription that the demo's pharmacist transcribes, without the pages.
 * Returns the id of the first medicine on it.
 * @param isTransferred whether the pharmacist then transfers it to another pharmacy
 */
export async function transcribedItem(page: Page, { isTransferred = false } = {}): Promise<string> {
  await uploadIdDocument(page)
  const { prescriptionId, medicines } = await orderOnPrescription(page)
  const pharmacist = await openAs(page, 'pharmacist')
  const transcription = {
    prescriptionId,
    version: 1,
    patientName: 'Zoë O’Hara',
    prescriberName: 'Dr. Priya Natarajan',
    npi: '1234567893',
    writtenOn: dateBefore(new Date(), 0),
    items: medicines.map(({ variantId, units }) => ({
      variantId,
      units,
      daysSupply: 30,
      refills: 2,
      directions: '1 tab po bid',
    })),
  }
  const reply = await ok(await pharmacist.post('/trpc/cases.transcribe', { data: transcription }))
  const itemId = /"candidates":\[{"itemId":"([^"]+)"/.exec(await reply.text())?.[1] ?? ''
  const transfer = { itemId, version: 1, reason: 'transferred', note: 'To Example Pharmacy' }
  if (isTransferred) await ok(await pharmacist.post('/trpc/cases.closeItem', { data: transfer }))
  await pharmacist.dispose()
  return itemId
}

/** Starts a payment that the customer's bank must confirm, without the pages. */
export async function startBankConfirmation(page: Page): Promise<void> {
  const items = [{ productVariantId: await findOtcVariant(page), quantity: 2 }]
  await pay(page, { items, cardNumber: '4000 0025 0000 3155' })
}

/** A pack of a prescription medicine of one ingredient that is in stock. */
async function findMedicine(page: Page, name: string, strength: string) {
  const found = await ok(await page.request.get(`/api/products/search?q=${name}&include=variants`))
  const products = (await found.json()) as {
    name: string
    variants: {
      id: string
      strength: string
      packageSize: number
      price: string | null
      stockQuantity: number
    }[]
  }[]
  const variant = products
    .filter((product) => product.name.toLowerCase() === name)
    .flatMap(({ variants }) => variants)
    .find((each) => each.strength === strength && each.price !== null && each.stockQuantity >= 20)
  if (!variant) throw new Error(`${name} ${strength} is not in stock.`)
  return { variantId: variant.id, name, strength, units: variant.packageSize }
}
