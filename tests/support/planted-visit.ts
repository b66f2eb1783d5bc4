import { demoPassword } from '#server/demo/demo-accounts.ts'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { z } from 'zod'
import { planted } from './planted-values.ts'
import type { RecordingBrowser } from './recording-browser.ts'
import { samplePdf } from './sample-files.ts'

const urlIn = (text: string): string => (JSON.parse(text) as { url: string }).url

/**
 * A customer's complete visit to the shop, including failures, and an admin who views the uploads.
 */
export async function useEverything(
  customer: RecordingBrowser,
  admin: RecordingBrowser,
  secrets: Record<string, string>,
  variantId: string,
  confirmAddresses: () => Promise<void>,
): Promise<void> {
  const { call, json, post, upload } = customer
  const credentials = { email: planted.email, password: planted.password }
  await post('/login', { email: planted.unknownEmail, password: planted.wrongPassword })
  await post('/register', { ...credentials, password: 'short' })
  const registered = await post('/register', {
    ...credentials,
    firstName: planted.firstName,
    lastName: planted.lastName,
  })
  expect(registered.status).toBe(303)

  const profile = {
    dateOfBirth: planted.birthDate,
    cellPhone: planted.cellPhone,
    homePhone: planted.homePhone,
    currentMedications: planted.medications,
    allergies: planted.allergies,
    shippingStreetAddress: planted.shippingStreet,
    shippingCity: planted.shippingCity,
    shippingZipCode: planted.shippingZip,
    billingStreetAddress: planted.billingStreet,
  }
  expect((await post('/profile', { ...profile, weight: planted.weight })).status).toBe(422)
  expect((await post('/profile', profile)).status).toBe(303)
  expect((await json('PATCH', '/api/profile', { weight: planted.weight })).status).toBe(422)
  expect((await json('PATCH', '/api/profile', { allergies: planted.allergies })).status).toBe(200)
  expect((await json('PATCH', '/api/profile', { [planted.medications]: planted.notes })).status).toBe(400)

  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${planted.refusedFile}</svg>`)
  const refused = await upload(svg)
  expect(refused.status).toBe(415)
  secrets['signature'] = new URL(refused.address).searchParams.get('signature') ?? ''
  const idDocumentURL = urlIn((await upload(samplePdf(planted.idDocument))).text)
  expect((await json('PUT', '/api/profile/id-document', { idDocumentURL })).status).toBe(200)
  const fileUrl = urlIn((await upload(samplePdf(planted.prescription))).text)
  const details = { doctorName: planted.doctor, notes: planted.notes }
  expect((await json('POST', '/api/prescriptions', { ...details, fileUrl: planted.notes })).status).toBe(422)
  const created = await json('POST', '/api/prescriptions', { ...details, fileUrl })
  expect(created.status).toBe(201)
  const { id } = JSON.parse(created.text) as { id: string }

  await admin.post('/login', { email: 'admin@meridian.test', password: demoPassword })
  const question = { intent: 'ask', requestKey: 'one question', message: planted.question }
  expect((await admin.post(`/admin/messages/${id}`, question)).status).toBe(303)
  const answer = { intent: 'message', id, requestKey: 'one submission', message: planted.answer }
  expect((await post('/prescriptions', answer)).status).toBe(303)
  expect((await admin.call(`/admin/prescriptions?id=${id}`)).text).toContain(planted.answer)
  expect((await admin.call('/admin')).status).toBe(200)
  const decision = { status: 'rejected', statusReason: planted.reason }
  expect((await admin.json('PATCH', `/api/prescriptions/${id}`, decision)).status).toBe(200)
  expect((await admin.call(`/api/prescriptions/${id}/file`)).text).toContain(planted.prescription)

  // A second one, because a rejected prescription cannot be used for an order.
  const otherFile = urlIn((await upload(samplePdf(planted.prescription))).text)
  const usable = await json('POST', '/api/prescriptions', { ...details, fileUrl: otherFile })
  const { id: prescriptionId } = JSON.parse(usable.text) as { id: string }
  const shippingAddress = `${planted.orderStreet}, ${planted.orderCity}, ZQ 1, Canada`
  const items = [{ productVariantId: variantId, quantity: 2 }]
  const checkout = await json('POST', '/api/create-payment-intent', {
    items,
    shippingAddress,
    prescriptionId,
  })
  const { clientSecret } = JSON.parse(checkout.text) as { clientSecret: string }
  const paid = { clientSecret, cardNumber: '4242 4242 4242 4242' }
  expect((await json('POST', '/demo-payments/confirm', paid)).status).toBe(200)
  const stripePaymentId = clientSecret.split('_secret_')[0] ?? ''
  const placed = await json('POST', '/api/orders', { stripePaymentId })
  expect(placed.status).toBe(201)
  const { id: orderId } = JSON.parse(placed.text) as { id: string }
  expect((await admin.json('PATCH', `/api/orders/${orderId}`, { status: 'shipped' })).status).toBe(409)
  expect((await post(`/orders/${orderId}`, { intent: 'again' })).status).toBe(303)
  await reviewOrder(admin, { orderId, prescriptionId, variantId })
  await admin.post('/api/logout', {})
  await admin.post('/login', { email: 'admin@meridian.test', password: demoPassword })
  expect((await call(`/orders/${orderId}`)).text).toContain(planted.refusal)
  expect((await admin.call('/api/orders')).text).toContain(planted.orderCity)

  for (const path of [
    '/',
    '/order-history',
    '/orders',
    `/orders/${orderId}`,
    `/orders/${orderId}.data`,
    `/api/orders/${orderId}`,
    '/api/orders/user',
    `/api/prescriptions/order/${orderId}`,
    '/profile',
    '/profile.data',
    '/prescriptions',
    '/prescriptions/upload',
    '/account/security',
    '/account/activity',
    '/api/auth/user',
    '/api/prescriptions',
    `/api/prescriptions/${id}/file`,
    `/api/prescriptions/${prescriptionId}/file`,
    `/products?q=${encodeURIComponent(planted.search)}`,
    `/api/products/search?q=${encodeURIComponent(planted.search)}`,
    `/search/suggestions?q=${encodeURIComponent(planted.search)}`,
  ]) {
    expect((await call(path)).status, path).toBe(200)
  }
  expect((await call('/account/download', { method: 'POST' })).status).toBe(200)

  const token = /name="token" value="([^"]{20,})"/.exec((await call('/contact')).text)?.[1] ?? ''
  const message = { name: planted.contactName, email: planted.unknownEmail, message: planted.contactMessage }
  expect((await post('/contact', { ...message, email: 'no address', token })).status).toBe(422)
  expect((await post('/contact', { ...message, token })).status).toBe(303)

  const secure = (intent: string, fields: Record<string, string>) =>
    post('/account/security', { intent, ...fields })
  const [wrong, right] = [{ currentPassword: planted.wrongPassword }, { currentPassword: planted.password }]
  expect((await secure('change-email', { ...wrong, email: planted.newEmail })).status).toBe(422)
  expect((await secure('change-email', { ...right, email: planted.newEmail })).status).toBe(303)
  expect((await secure('begin-second-factor', right)).status).toBe(409)
  await confirmAddresses()
  expect((await secure('begin-second-factor', right)).status).toBe(303)
  const [secret = ''] =
    /\b[A-Z2-7]{32}\b/.exec((await call('/account/security')).text.replace(/(?<=[A-Z2-7]{4}) /g, '')) ?? []
  secrets['totpSecret'] = secret
  const codes = await secure('confirm-second-factor', { code: new TOTP({ secret }).generate() })
  expect(codes.status).toBe(200)
  secrets['recoveryCode'] = /<li[^>]*>([a-z2-9]{5}-[a-z2-9]{5})</.exec(codes.text)?.[1] ?? ''
  const change = { newPassword: planted.newPassword }
  expect((await secure('change-password', { ...right, ...change })).status).toBe(303)
  await post('/forgot-password', { email: planted.email })
  await post('/forgot-password', { email: planted.unknownEmail })
}

/** A pharmacist transcribes the prescription, fails once, and refuses the order's only line. */
async function reviewOrder(
  { json, call, post }: RecordingBrowser,
  { orderId, prescriptionId, variantId }: { orderId: string; prescriptionId: string; variantId: string },
): Promise<void> {
  expect((await post('/api/logout', {})).status).toBe(303)
  await post('/login', { email: 'pharmacist@meridian.test', password: demoPassword })
  const readCase = async () => {
    const { text } = await call(
      `/trpc/cases.get?input=${encodeURIComponent(JSON.stringify({ id: orderId }))}`,
    )
    return caseSchema.parse(JSON.parse(text)).result.data
  }
  const { lines, prescriptions } = await readCase()
  const [line = { id: '', version: 0 }] = lines
  const item = { variantId, units: 48, daysSupply: 24, refills: 1, directions: planted.directions }
  const transcription = {
    prescriptionId,
    version: prescriptions.find(({ id }) => id === prescriptionId)?.version,
    patientName: `${planted.firstName} ${planted.lastName}`,
    prescriberName: planted.prescriber,
    npi: '1993999998',
    writtenOn: new Date().toISOString().slice(0, 10),
    authentication: { method: 'contacted', note: planted.authenticationNote },
    duplicateNote: planted.authenticationNote,
    duplicatesSeen: prescriptions.flatMap(({ possibleDuplicates }) =>
      possibleDuplicates.map((duplicate) => duplicate.prescriptionId),
    ),
  }
  const draft = { caseId: orderId, fields: { note: planted.draft } }
  const sent = [
    ['saveDraft', draft, 200],
    ['transcribe', { ...transcription, items: [{ ...item, units: 0 }] }, 422],
    ['transcribe', { ...transcription, items: [item] }, 200],
    ['saveDraft', draft, 200],
    ['noteCall', { lineId: line.id, version: line.version, note: planted.call }, 200],
    ['refuse', { lineId: line.id, version: line.version, reason: planted.refusal }, 409],
  ] as const
  for (const [name, input, status] of sent) {
    const reply = await json('POST', `/trpc/cases.${name}`, input)
    expect(reply.status, `${name}: ${reply.text}`).toBe(status)
  }
  const [current = line] = (await readCase()).lines
  const refusal = { lineId: line.id, version: current.version, reason: planted.refusal }
  expect((await json('POST', '/trpc/cases.refuse', refusal)).status).toBe(200)
  for (const path of ['/admin/prescriptions', `/admin/prescriptions?id=${orderId}`]) {
    expect((await call(path)).status, path).toBe(200)
  }
}

const versioned = z.object({ id: z.string(), version: z.number() })
const shownPrescription = versioned.extend({
  possibleDuplicates: z.array(z.object({ prescriptionId: z.string() })),
})
const caseSchema = z.object({
  result: z.object({
    data: z.object({ lines: z.array(versioned), prescriptions: z.array(shownPrescription) }),
  }),
})
