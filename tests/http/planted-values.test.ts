import { getEngine, type Db } from '#db/engine/client.ts'
import { demoPassword } from '#server/demo/demo-accounts.ts'
import { allColumns } from '#tests/support/all-columns.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { startSmtpServer, type ReceivedMail } from '#tests/support/smtp-server.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { encodedFormsOf, tracesIn } from '#tests/support/traces.ts'
import { sql } from 'kysely'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

/** Health data, which must not appear in emails either. */
const health = {
  birthDate: '1961-07-23',
  medications: 'Xanomeline-Trospium 125 mg',
  allergies: 'Quinoline & "Sulfa" séria',
  doctor: 'Dr. Philippa Wrenfield-Ågård',
  notes: 'Only before noon; see chart Q-7781',
  reason: 'The signature of page 2 is unreadable (R-9917)',
  question: 'Do you still take perphenazine at night?',
  answer: 'Twice a night since the spring, says Dr. Umberfield',
  directions: 'Dissolve 1 planted wafer under the tongue at dusk',
  prescriber: 'Theodora Plantwright-Ng, DO',
  authenticationNote: 'Reached the practice by the state board’s planted number',
  draft: 'Draft: ask whether the planted dose is a typo',
  call: 'Called the planted practice: the dose is right',
  refusal: 'Planted: the dose does not fit the patient',
  prescription: 'PLANTED-PRESCRIPTION-BYTES-44821',
  idDocument: 'PLANTED-PASSPORT-BYTES-90317',
  refusedFile: 'PLANTED-REFUSED-BYTES-51500',
  search: 'vortioxetine-planted-search',
  weight: 'weight-of-183-planted',
}

const planted = {
  ...health,
  firstName: 'Zebediah',
  lastName: 'Quillfeather-O’Hara',
  email: 'zebediah.quillfeather@customer.example',
  newEmail: 'zq-elsewhere@customer.example',
  unknownEmail: 'unknown-planted@customer.example',
  password: 'correct horse battery planted',
  wrongPassword: 'wrong horse battery planted',
  newPassword: 'newer horse battery planted',
  cellPhone: '+1 555 0177 3391',
  homePhone: '+1 555 0188 4402',
  shippingStreet: '4711 Thistledown Crescent',
  shippingCity: 'Wexcombe-on-Planted',
  shippingZip: 'ZQ4 7PL',
  billingStreet: '99 Ledgerbook Alley',
  userAgent: 'PlantedBrowser/77.1 (Zebediah)',
  contactName: 'Wilhelmina Planted',
  contactMessage: 'My order of tirzepatide never came.',
  orderStreet: '7 Marchpane Mews, Flat Planted',
  orderCity: 'Ottery-under-Planted',
}

/** What was ordered: the catalog contains it in plaintext, and no customer data may. */
const ordered = { medicine: 'Plantedolol hydrobromide', brand: 'Plantabrand Forte' }

type Fields = Record<string, string>

/** A browser that records its cookies and redirects. */
function browser(origin: string, userAgent: string) {
  const cookies = new Map<string, string>()
  const redirects: string[] = []
  const call = async (path: string, init: { method?: string; headers?: Fields; body?: BodyInit } = {}) => {
    const response = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        origin,
        'user-agent': userAgent,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    redirects.push(response.headers.get('location') ?? '')
    return { status: response.status, text: await response.text() }
  }
  const json = (method: string, path: string, body: object) =>
    call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const post = (path: string, fields: Fields) =>
    call(path, { method: 'POST', body: new URLSearchParams(fields) })
  const upload = async (bytes: Uint8Array) => {
    const { uploadURL } = JSON.parse((await call('/api/objects/upload', { method: 'POST' })).text) as {
      uploadURL: string
    }
    const put = await call(uploadURL, { method: 'PUT', body: Uint8Array.from(bytes) })
    return { ...put, address: uploadURL }
  }
  return { cookies, redirects, call, json, post, upload }
}

const urlIn = (text: string): string => (JSON.parse(text) as { url: string }).url

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-planted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every row stored about customers and their orders, excluding the catalog and the stock. */
async function customersBytes(db: Db): Promise<Buffer> {
  const tables = [
    'checkouts',
    'orders',
    'order_events',
    'payment_events',
    'payment_holds',
    'prescription_items',
    'line_reviews',
    'case_drafts',
    'demo_payments',
    'outbox',
    'audit_log',
  ]
  const parts: string[] = []
  for (const table of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db)
    expect(rows.length > 0 || table === 'payment_events', table).toBe(true)
    parts.push(JSON.stringify(rows))
  }
  return Buffer.from(parts.join('\n'))
}

/**
 * Everything in the database: the file and its log on SQLite, each row of each table on Postgres.
 */
async function databaseBytes(db: Db, url: string): Promise<Buffer> {
  if (getEngine(db) === 'sqlite') {
    const path = url.slice('sqlite:'.length)
    return Buffer.concat(
      [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file)),
    )
  }
  const parts: string[] = []
  for (const table of new Set((await allColumns(db)).map((column) => column.table))) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(table)} t`.execute(
      db,
    )
    parts.push(...rows.map(({ line }) => line))
  }
  return Buffer.from(parts.join('\n'))
}

const folderBytes = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .flatMap((path) => [Buffer.from(path), ...(statSync(path).isFile() ? [readFileSync(path)] : [])]),
  )

/** Emails as received, with line breaks and escapes of their parts decoded. */
const wordsOf = (mails: readonly ReceivedMail[]): string =>
  mails
    .flatMap(({ raw }) => [
      raw,
      raw.replace(/\r\n/g, ''),
      raw
        .replace(/=\r\n/g, '')
        .replace(/(=[0-9A-F]{2})+/g, (bytes) =>
          Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
        ),
    ])
    .join('\n')

eachEngine((_engine, _openDb, openWithUrl) => {
  test(
    'no customer data appears in the database, the files, the log, URLs or emails',
    { timeout: 120_000 },
    async () => {
      const { db, url } = await openWithUrl()
      const files = temporaryFolder()
      // Refuses some addresses with a message that contains the customer's.
      const smtp = await startSmtpServer((moment, count) =>
        moment === 'RCPT' && count % 3 === 2 ? `451 later, ${planted.email} of ${planted.lastName}` : null,
      )
      onTestFinished(smtp.close)
      let log = ''
      const shop = await startShop(url, {
        demoCatalog: false,
        onLog: (text) => void (log += text),
        env: {
          LOG_LEVEL: 'trace',
          STORAGE: `local:${files}`,
          SMTP_URL: smtp.url,
          RATE_LIMITS: 'off',
        },
      })
      const customer = browser(shop.origin, planted.userAgent)
      const admin = browser(shop.origin, 'Firefox')
      const secrets: Record<string, string> = {}
      try {
        const productId = await addProduct(db, { name: ordered.medicine, category: 'Rx' })
        const variantId = await addVariant(db, { productId, brandName: ordered.brand })
        await useEverything(customer, admin, secrets, variantId, async () => {
          await db.updateTable('users').set({ emailConfirmedAt: new Date() }).execute()
        })
        const linkPattern = /\/(confirm-email|reset-password)\?token=[\w-]{43}/
        // A refused email is retried after half a minute.
        await vi.waitFor(() => expect(wordsOf(smtp.received)).toMatch(linkPattern), { timeout: 60_000 })
        const [link = ''] = linkPattern.exec(wordsOf(smtp.received)) ?? []
        secrets['linkToken'] = link.slice(-43)
        expect((await customer.call(link)).status).toBe(200)
        secrets['session'] = customer.cookies.get('session') ?? ''
        const devices = Buffer.from(decodeURIComponent(customer.cookies.get('device') ?? ''), 'base64')
        secrets['device'] = z.tuple([z.base64url().length(43)]).parse(JSON.parse(devices.toString()))[0]
        // Read while the shop runs, to include the write-ahead log.
        expect(tracesIn(await databaseBytes(db, url), { ...planted, ...secrets })).toEqual([])
      } finally {
        await shop.stop()
      }
      const values = { ...planted, ...secrets }
      expect(Object.keys(values).length).toBeGreaterThan(20)

      const database = await databaseBytes(db, url)
      expect(tracesIn(database, values)).toEqual([])
      expect(tracesIn(folderBytes(files), values)).toEqual([])
      expect(tracesIn(Buffer.from(log), values)).toEqual([])
      expect(tracesIn(Buffer.from([...customer.redirects, ...admin.redirects].join('\n')), values)).toEqual(
        [],
      )
      const mails = Buffer.from(wordsOf(smtp.received))
      const orderPlace = { street: planted.orderStreet, city: planted.orderCity }
      expect(tracesIn(mails, { ...health, ...ordered, ...orderPlace })).toEqual([])
      const [variant] = await db.selectFrom('productVariants').select(['id', 'productId']).execute()
      const [order] = await db.selectFrom('orders').select('id').execute()
      const orderedIds = { variantId: variant?.id ?? '', productId: variant?.productId ?? '' }
      const stored = await customersBytes(db)
      expect(tracesIn(stored, { ...ordered, ...orderedIds })).toEqual([])
      expect(tracesIn(stored, { id: order?.id ?? '' })).toContain('id: plain')
      expect(tracesIn(Buffer.from(log), ordered)).toEqual([])
      expect(tracesIn(Buffer.from([...customer.redirects, ...admin.redirects].join('\n')), ordered)).toEqual(
        [],
      )
      expect(tracesIn(database, ordered)).toContain('medicine: plain')

      // Proof that each of these was searched: a planted value is found in it.
      const [row] = await db
        .selectFrom('prescriptions')
        .select(['id', 'fileId'])
        .orderBy('uploadedAt', 'desc')
        .execute()
      expect(tracesIn(database, { id: row?.id ?? '' })).toContain('id: plain')
      expect(tracesIn(folderBytes(files), { id: row?.fileId ?? '' })).toContain('id: plain')
      expect(tracesIn(Buffer.from(log), { path: `/api/prescriptions/${row?.id}/file` })).toContain(
        'path: plain',
      )
      expect(tracesIn(mails, { email: planted.email })).toContain('email: plain')
      await db
        .insertInto('rateLimits')
        .values({ keyHash: `of ${planted.medications.toUpperCase()}`, hits: 1, endsAt: new Date() })
        .execute()
      const leaks = tracesIn(await databaseBytes(db, url), planted)
      expect(leaks).toContain('medications: plain')
      expect(leaks.filter((leak) => !leak.startsWith('medications: '))).toEqual([])
      writeFileSync(join(files, 'leak'), samplePdf(planted.prescription))
      expect(tracesIn(folderBytes(files), planted)).toContain('prescription: plain')
    },
  )
})

type Browser = ReturnType<typeof browser>

/**
 * A customer's complete visit to the shop, including failures, and an admin who views the uploads.
 */
async function useEverything(
  customer: Browser,
  admin: Browser,
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

  const secure = (intent: string, fields: Fields) => post('/account/security', { intent, ...fields })
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
  { json, call, post }: Browser,
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

test('the search finds a value in every encoding and at every offset', () => {
  const found = (text: string): string[] => tracesIn(Buffer.from(text), planted)
  for (const [name, value] of Object.entries(planted)) {
    for (const form of encodedFormsOf(value)) {
      expect(found(`before ${form.text} after`), `${name}, ${form.name}`).toContain(`${name}: ${form.name}`)
    }
    for (const before of ['', 'a', 'ab', 'abc']) {
      const whole = Buffer.from(`${before}${value} and more`)
      for (const encoding of ['base64', 'base64url'] as const) {
        expect(found(whole.toString(encoding)).join(), `${name} in ${encoding}`).toContain(
          `${name}: ${encoding}`,
        )
      }
      expect(found(whole.toString('hex')).join()).toContain(`${name}: hex`)
    }
  }
  expect(found('nothing of it')).toEqual([])
})
