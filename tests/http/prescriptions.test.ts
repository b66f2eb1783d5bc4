import { refreshSearch } from '#db/search/refresh-search.ts'
import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { addFile, addIdDocument, addPrescription } from '#tests/support/prescriptions.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

type Person = Visitor & { id: string }

async function person(
  shop: Shop,
  overrides: { isAdmin?: boolean; idDocument?: boolean } = {},
): Promise<Person> {
  const id = await makeUser(shop.db, { isAdmin: overrides.isAdmin ?? false })
  if (overrides.idDocument) await addIdDocument(shop.db, id)
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

const json = (visitor: Visitor, method: string, path: string, body?: unknown): Promise<Response> =>
  visitor.request(path, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Uploads a file as the page's script does and returns its reference. */
async function upload(visitor: Visitor, file: Buffer): Promise<string> {
  const { uploadURL } = (await (await json(visitor, 'POST', '/api/objects/upload')).json()) as {
    uploadURL: string
  }
  const put = await visitor.request(uploadURL, {
    method: 'PUT',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new Uint8Array(file),
  })
  expect(put.status).toBe(200)
  return ((await put.json()) as { url: string }).url
}

/**
 * Submits a form with a file like a browser without JavaScript. Bytes are a chosen file; none means
 * that no file was chosen.
 */
function postForm(
  visitor: Visitor,
  path: string,
  fields: Record<string, string | Buffer>,
): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, new File([new Uint8Array(value)], value.length > 0 ? 'scan.pdf' : ''))
  }
  return visitor.request(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

/** The hidden form id of a new upload page. */
async function formOf(visitor: Visitor): Promise<{ formId: string }> {
  const html = await (await visitor.get('/prescriptions/upload')).text()
  return { formId: /name="formId" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('the API creates, lists, reads, decides and deletes a prescription in the documented shape', async () => {
    const shop = await openShop()
    const [owner, admin] = [await person(shop, { idDocument: true }), await person(shop, { isAdmin: true })]
    const file = samplePdf()
    const created = await json(owner, 'POST', '/api/prescriptions', {
      fileUrl: await upload(owner, file),
      doctorName: 'Dr. Ada Quillfeather',
      prescriptionDate: '2026-01-02',
      expiryDate: '',
      notes: null,
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('cache-control')).toBe('private, no-store')
    const prescription = (await created.json()) as { id: string; uploadedAt: string }
    const { id } = prescription
    expect(prescription).toEqual({
      id,
      orderId: null,
      doctorName: 'Dr. Ada Quillfeather',
      prescriptionDate: '2026-01-02',
      expiryDate: null,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      notes: null,
      fileUrl: `/api/prescriptions/${id}/file`,
      status: 'under_review',
      statusReason: null,
    })
    expect(await (await owner.get('/api/prescriptions')).json()).toEqual([prescription])

    const read = await owner.get(`/api/prescriptions/${id}/file`)
    expect(Buffer.from(await read.arrayBuffer()).equals(file)).toBe(true)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="prescription.pdf"',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox') as unknown,
    })

    // It can be framed by our own pages, and is still sandboxed.
    const framed = await admin.get(`/api/prescriptions/${id}/file?frame`)
    await framed.body?.cancel()
    expect([framed.headers.get('x-frame-options'), framed.headers.get('content-security-policy')]).toEqual([
      'SAMEORIGIN',
      "default-src 'none'; sandbox; frame-ancestors 'self'",
    ])
    expect(read.headers.get('x-frame-options')).toBe('DENY')

    const path = `/api/prescriptions/${id}`
    const decided = await json(admin, 'PATCH', path, { status: 'rejected', statusReason: 'Not legible' })
    expect(decided.status).toBe(200)
    expect(await decided.json()).toEqual({ ...prescription, status: 'rejected', statusReason: 'Not legible' })
    expect(await (await admin.get(`/api/prescriptions/user/${owner.id}`)).json()).toMatchObject([
      { id, status: 'rejected' },
    ])

    const deleted = await json(owner, 'DELETE', path)
    expect([deleted.status, await deleted.text()]).toEqual([204, ''])
    expect(await (await owner.get('/api/prescriptions')).json()).toEqual([])
    expect(await statusOf(json(owner, 'DELETE', path))).toBe(404)
    expect(await statusOf(owner.get(`${path}/file`))).toBe(404)
  })

  test('every call distinguishes visitors, the owner, other customers and admins', async () => {
    const shop = await openShop()
    const anonymous = shop.visit()
    const [owner, other, admin] = [
      await person(shop),
      await person(shop),
      await person(shop, { isAdmin: true }),
    ]
    const { id } = await addPrescription(shop.db, owner.id, { now: new Date() })
    const path = `/api/prescriptions/${id}`
    const everyone = [anonymous, other, admin, owner]
    const statuses = async (call: (visitor: Visitor) => Promise<Response>): Promise<number[]> => {
      const answers: number[] = []
      for (const visitor of everyone) answers.push((await call(visitor)).status)
      return answers
    }
    expect(await statuses((visitor) => visitor.get('/api/prescriptions'))).toEqual([401, 200, 200, 200])
    expect(await statuses((visitor) => json(visitor, 'POST', '/api/prescriptions', {}))).toEqual([
      401, 422, 422, 422,
    ])
    expect(await statuses((visitor) => visitor.get(`/api/prescriptions/user/${owner.id}`))).toEqual([
      401, 403, 200, 403,
    ])
    // A user without access does not learn whether the body is valid.
    for (const body of [{ status: 'approved' }, { status: 'done' }, { hidden: 1 }]) {
      const [first, second] = await statuses((visitor) => json(visitor, 'PATCH', path, body))
      expect([first, second]).toEqual([401, 403])
    }
    expect(await statuses((visitor) => json(visitor, 'PATCH', path, { status: 'approved' }))).toEqual([
      401, 403, 200, 403,
    ])
    // The bytes are missing from storage; users without access get 404 before they are read.
    expect(await statusOf(anonymous.get(`${path}/file`))).toBe(401)
    expect(await statusOf(other.get(`${path}/file`))).toBe(404)
    expect(await statuses((visitor) => json(visitor, 'DELETE', path))).toEqual([401, 404, 403, 204])
    expect(await (await other.get('/api/prescriptions')).json()).toEqual([])
  })

  test('errors come in the contract’s order and name the field', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const admin = await person(shop, { isAdmin: true })
    const post = (body: unknown) => json(owner, 'POST', '/api/prescriptions', body)
    const fileUrl = await addFile(shop.db, owner.id)
    expect(await statusOf(post({ fileUrl, isAdmin: true }))).toBe(400)
    expect(await statusOf(post([]))).toBe(400)
    for (const [body, field] of [
      [{}, 'fileUrl'],
      [{ fileUrl: 7 }, 'fileUrl'],
      [{ fileUrl: 'file:///etc/passwd' }, 'fileUrl'],
      [{ fileUrl: 'http://169.254.169.254/' }, 'fileUrl'],
      [{ fileUrl, prescriptionDate: '2026-02-30' }, 'prescriptionDate'],
      [{ fileUrl, prescriptionDate: '2999-01-01' }, 'prescriptionDate'],
      [{ fileUrl, expiryDate: 20260101 }, 'expiryDate'],
      [{ fileUrl, doctorName: 'x'.repeat(201) }, 'doctorName'],
      [{ fileUrl, notes: ['a'] }, 'notes'],
    ] as const) {
      const response = await post(body)
      expect(response.status, JSON.stringify(body)).toBe(422)
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(await response.text()).toContain(field)
    }
    // Valid except for the missing ID document.
    const refused = await post({ fileUrl })
    expect([refused.status, await refused.text()]).toEqual([
      409,
      'Please upload your ID document first from your profile page',
    ])
    await addIdDocument(shop.db, owner.id)
    const { id } = (await (await post({ fileUrl, expiryDate: '2020-01-01' })).json()) as { id: string }
    expect(await statusOf(post({ fileUrl }))).toBe(409)

    const patch = (name: string, body: unknown) => json(admin, 'PATCH', `/api/prescriptions/${name}`, body)
    expect(await statusOf(patch(newId(), { status: 'done' }))).toBe(404)
    expect(await statusOf(patch(id, { doctorName: 'Dr. B' }))).toBe(400)
    for (const [body, field] of [
      [{ status: 'done' }, 'status'],
      [{ status: null }, 'status'],
      [{ status: 'rejected' }, 'statusReason'],
      [{ status: 'rejected', statusReason: 4 }, 'statusReason'],
    ] as const) {
      const response = await patch(id, body)
      expect([response.status, (await response.text()).includes(field)]).toEqual([422, true])
    }
    expect(await statusOf(patch(id, { status: 'approved' }))).toBe(409)
    expect(await statusOf(patch(id, {}))).toBe(200)
    expect(await statusOf(json(owner, 'PUT', `/api/prescriptions/${id}`, {}))).toBe(405)
    expect(await statusOf(owner.get(`/api/prescriptions/${id}`))).toBe(405)
    expect(await statusOf(owner.get('/api/prescriptions/user'))).toBe(405)
    const foreign = await owner.request(`/api/prescriptions/${id}`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
  })

  test('a decision is emailed with a link and no health data', async () => {
    const shop = await openShop()
    const [owner, admin] = [await person(shop), await person(shop, { isAdmin: true })]
    const { id } = await addPrescription(shop.db, owner.id, { notes: 'xanomeline' })
    await json(admin, 'PATCH', `/api/prescriptions/${id}`, {
      status: 'rejected',
      statusReason: 'The xanomeline is not legible',
    })
    const page = readMain(await (await shop.visit().get('/demo/outbox')).text())
    expect(page).toContain('Your prescription was reviewed')
    expect(page).toContain(`${shop.origin}/prescriptions`)
    expect(page).not.toMatch(/xanomeline|Quillfeather|legible/)
  })

  test('signed-out visitors see the sign-in prompt on both pages', async () => {
    const shop = await openShop()
    for (const path of ['/prescriptions', '/prescriptions/upload', '/prescriptions/upload?from=checkout']) {
      const response = await shop.visit().get(path)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(headingsOf(html, 1)).toEqual(['Authentication Required'])
      expect(readMain(html)).toContain('Please sign in to upload prescriptions')
      expect(html).toContain(`href="/api/login?returnTo=${encodeURIComponent(path)}"`)
    }
  })

  test('the list shows status, dates and reason of each prescription and is not cached', async () => {
    const shop = await openShop()
    const [owner, other, admin] = [
      await person(shop),
      await person(shop),
      await person(shop, { isAdmin: true }),
    ]
    const empty = readMain(await (await owner.get('/prescriptions')).text())
    expect(empty).toContain('My Prescriptions')
    expect(empty).toContain('No prescriptions uploaded yet')

    const now = new Date('2026-01-05T23:30:00Z')
    const { id } = await addPrescription(shop.db, owner.id, { now, notes: 'one <b>two</b>' })
    await addPrescription(shop.db, owner.id, { now, doctorName: null, expiryDate: '2026-01-09' })
    await json(admin, 'PATCH', `/api/prescriptions/${id}`, {
      status: 'rejected',
      statusReason: 'No signature',
    })
    const response = await owner.get('/prescriptions')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('<title>My Prescriptions | Meridian</title>')
    expect(headingsOf(html, 2)).toEqual(['Prescription from Jan 5, 2026', 'Dr. Ada Quillfeather'])
    const text = readMain(html)
    for (const shown of [
      'Rejected',
      'Reason: No signature',
      'Expired',
      'Jan 2, 2026',
      'Jan 9, 2026',
      'one &lt;b&gt;two&lt;/b&gt;',
    ]) {
      expect(text).toContain(shown)
    }
    expect(html).toContain(`href="/api/prescriptions/${id}/file"`)
    expect(mainOf(html)).toContain('href="/prescriptions/upload"')
    expect(readMain(await (await other.get('/prescriptions')).text())).toContain(
      'No prescriptions uploaded yet',
    )
  })

  test('without JavaScript a deletion is confirmed on a page, and repeating it is no error', async () => {
    const shop = await openShop()
    const [owner, other] = [await person(shop), await person(shop)]
    const { id } = await addPrescription(shop.db, owner.id, { now: new Date() })
    const confirmation = await (await owner.get(`/prescriptions?delete=${id}`)).text()
    expect(headingsOf(confirmation, 2)).toContain('Delete this prescription?')
    expect(readMain(confirmation)).toMatch(/Cancel Delete/)
    expect(readMain(await (await other.get(`/prescriptions?delete=${id}`)).text())).not.toContain(
      'Delete this',
    )

    const form = { intent: 'delete', id }
    const post = async (visitor: Visitor): Promise<string> => {
      const response = await visitor.post('/prescriptions', form)
      expect([response.status, response.headers.get('location')]).toEqual([303, '/prescriptions'])
      return (await visitor.get('/prescriptions')).text()
    }
    expect(await post(other)).not.toContain('Prescription Deleted')
    expect(await post(owner)).toContain('Prescription Deleted')
    expect(await post(owner)).not.toContain('Failed to delete prescription')
    expect(await shop.db.selectFrom('prescriptions').select('id').execute()).toEqual([])
    const signedOut = await post(shop.visit())
    expect(signedOut).toContain('Failed to delete prescription')
    expect(await statusOf(owner.post('/prescriptions', { id }))).toBe(400)
  })

  test('the upload page has the documented fields and texts, and warns about a missing ID document', async () => {
    const shop = await openShop()
    const visitor = await person(shop)
    const html = await (await visitor.get('/prescriptions/upload?from=checkout')).text()
    expect(html).toContain('<title>Upload Prescription | Meridian</title>')
    expect(headingsOf(html, 1)).toEqual(['Upload Prescription'])
    const text = readMain(html)
    for (const shown of [
      'ID Document Required',
      "Doctor's name",
      'Prescription date',
      'Leave blank if not specified on prescription',
      'Notes',
      'Cancel',
      'Submit Prescription',
      'Pharmacy review typically takes 1-2 business days.',
      'We’ll email you when it’s approved.',
    ]) {
      expect(text).toContain(shown)
    }
    const main = mainOf(html)
    expect(main).toContain('href="/profile"')
    expect(main.match(/href="\/checkout"/g)).toHaveLength(2)
    expect(main).not.toContain('href="/prescriptions"')
    expect(main).toMatch(/<form [^>]*novalidate/i)
    expect(main).toMatch(/<form [^>]*enctype="multipart\/form-data"/i)

    await addIdDocument(shop.db, visitor.id)
    const plain = await (await visitor.get('/prescriptions/upload?from=//evil.example')).text()
    expect(readMain(plain)).not.toContain('ID Document Required')
    expect(mainOf(plain).match(/href="\/prescriptions"/g)).toHaveLength(2)
  })

  test('without JavaScript the form uploads the file and redirects with the documented message', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    for (const [from, back] of [
      ['', '/prescriptions'],
      ['?from=checkout', '/checkout'],
      ['?from=/admin', '/prescriptions'],
    ] as const) {
      const response = await postForm(visitor, `/prescriptions/upload${from}`, {
        ...(await formOf(visitor)),
        doctorName: 'Dr. Ada Quillfeather',
        expiryDate: '',
        fileUrl: samplePdf(),
      })
      expect([response.status, response.headers.get('location')]).toEqual([303, back])
    }
    const page = readMain(await (await visitor.get('/prescriptions')).text())
    expect(page).toContain('Prescription Uploaded')
    expect(page).toContain('Your prescription has been uploaded successfully and is under review.')
    const list = (await (await visitor.get('/api/prescriptions')).json()) as { id: string }[]
    expect(list).toHaveLength(3)
    expect(list[0]).toMatchObject({ doctorName: 'Dr. Ada Quillfeather', expiryDate: null })
    const file = await visitor.get(`/api/prescriptions/${list[0]?.id}/file`)
    expect(Buffer.from(await file.arrayBuffer()).equals(samplePdf())).toBe(true)
  })

  test('a form submitted twice at once creates one prescription, and both requests redirect', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    const form = { ...(await formOf(visitor)), fileUrl: samplePdf() }
    const answers = await Promise.all([1, 2].map(() => postForm(visitor, '/prescriptions/upload', form)))
    answers.push(await postForm(visitor, '/prescriptions/upload', form))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await (await visitor.get('/api/prescriptions')).json()).toHaveLength(1)
  })

  test('a refused form shows the documented message and keeps the details and the file', async () => {
    const shop = await openShop()
    const visitor = await person(shop)
    const typed = { doctorName: 'Dr. <Ada>', prescriptionDate: '2026-02-30', notes: 'with food' }
    const post = async (fields: Record<string, string | Buffer>) => {
      const form = { ...(await formOf(visitor)), ...fields }
      const response = await postForm(visitor, '/prescriptions/upload', form)
      const html = await response.text()
      return { status: response.status, html, text: readMain(html) }
    }
    const withoutId = await post({ ...typed, prescriptionDate: '', fileUrl: samplePdf() })
    expect(withoutId.status).toBe(409)
    expect(withoutId.text).toContain('Please upload your ID document first from your profile page')

    await addIdDocument(shop.db, visitor.id)
    const missing = await post({ ...typed, prescriptionDate: '', fileUrl: Buffer.alloc(0) })
    expect(missing.status).toBe(422)
    expect(missing.text).toMatch(/Missing File .*Please upload a prescription file first/)
    expect(missing.html).toContain('value="Dr. &lt;Ada&gt;"')

    const wrongType = await post({ ...typed, prescriptionDate: '', fileUrl: Buffer.from('MZ not a PDF') })
    expect(wrongType.status).toBe(415)
    expect(wrongType.text).toContain('Upload Failed')
    expect(wrongType.html).toContain('with food')

    const future = await post({ ...typed, prescriptionDate: '2999-01-01', fileUrl: samplePdf() })
    expect(future.status).toBe(422)
    expect(future.text).toMatch(/hasn’t been submitted yet The prescription date can’t be in the future\./)

    const wrongDate = await post({ ...typed, fileUrl: samplePdf() })
    expect(wrongDate.status).toBe(422)
    expect(wrongDate.text).toContain('Enter a date like 2026-01-31.')
    expect(wrongDate.text).toContain('Your file is uploaded.')
    expect(wrongDate.html).toContain('value="Dr. &lt;Ada&gt;"')
    const reference = /name="fileUrl" value="([^"]+)"/.exec(wrongDate.html)?.[1] ?? ''
    expect(reference).not.toBe('')
    const corrected = await post({ ...typed, prescriptionDate: '2026-01-02', fileUrl: reference })
    expect(corrected.status).toBe(303)
    expect(await statusOf(postForm(shop.visit(), '/prescriptions/upload', typed))).toBe(401)
  })

  test('the text fields of a file form have a size limit, and a visitor’s form is not read', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    const text = 'x'.repeat(20_000)
    const sent = { notes: text, doctorName: text }
    expect(await statusOf(postForm(visitor, '/prescriptions/upload', sent))).toBe(422)
    const long = [
      { ...sent, prescriptionDate: text, expiryDate: text },
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'n'.repeat(4000)}`, ''])),
    ]
    for (const form of long) {
      expect(await statusOf(postForm(visitor, '/prescriptions/upload', form))).toBe(413)
      expect(await statusOf(postForm(shop.visit(), '/prescriptions/upload', form))).toBe(401)
    }
  })

  test('a failed list shows the documented error with Retry', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    await shop.db.schema.alterTable('prescriptions').renameTo('prescriptions_away').execute()
    const response = await owner.get('/prescriptions')
    expect(response.status).toBe(500)
    const text = readMain(await response.text())
    expect(text).toContain('Failed to load prescriptions. Please try refreshing.')
    expect(text).toContain('Retry')
  })

  test('My medications lists each item, and Refill puts one fill in the cart without scripts', async () => {
    const shop = await openShop()
    const [owner, stranger] = [await person(shop), await person(shop)]
    const productId = await addProduct(shop.db, { category: 'Rx', name: 'Lisinopril' })
    const sold = { productId, genericName: 'Lisinopril', packageSize: 30 }
    const variantId = await addVariant(shop.db, sold)
    await addVariant(shop.db, { ...sold, strength: '400' })
    await refreshSearch(shop.db, [productId])
    const now = new Date()
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 3600_000)
    const { id: prescriptionId } = await addPrescription(shop.db, owner.id, { now })
    const onItem = {
      userId: owner.id,
      prescriptionId,
      variantId,
      unitsPerFill: 60,
      writtenOn: daysAgo(60).toISOString().slice(0, 10),
    }
    const itemId = await addItem(shop.db, onItem)
    const readList = async (path = '/prescriptions'): Promise<string> =>
      readMain(await (await owner.get(path)).text())
    const refill = async (visitor: Visitor, fields: Record<string, string> = {}): Promise<string> => {
      const response = await visitor.post('/prescriptions', { intent: 'refill', id: itemId, ...fields })
      return `${response.status} ${response.headers.get('location') ?? ''}`.trimEnd()
    }

    const page = await owner.get('/prescriptions')
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    const main = readMain(await page.text())
    for (const words of [
      'My medications',
      'Lisinopril 200 mg, tablet',
      'Take 1 tablet by mouth daily',
      '2 of 2',
      '60 tablets, 30 days',
      'Dr. Ada Quillfeather',
      '000001',
      'Ready to order',
    ]) {
      expect(main).toContain(words)
    }
    expect(readMain(await (await stranger.get('/prescriptions')).text())).not.toContain('Lisinopril')
    expect(await refill(stranger)).toBe('404')
    expect(await refill(shop.visit())).toBe('303 /api/login?returnTo=%2Fprescriptions')
    expect([await refill(owner), await refill(owner)]).toEqual(['303 /cart', '303 /cart'])
    const cart = readMain(await (await owner.get('/cart')).text())
    expect(cart).toContain('Shopping Cart (2 items)')
    expect(cart).toContain('Covered by Dr. Ada Quillfeather’s prescription, 2 refills left')

    const ctx = testContext(shop.db, { now, user: signedIn(owner.id) })
    const { order } = await buy(ctx, variantId, { quantity: 2 })
    expect(await readList()).toContain('Order in progress')
    const dispense = (dispensedAt: Date) =>
      shop.db
        .updateTable('fills')
        .set({ status: 'dispensed', dispensedAt })
        .where('orderId', '=', order.id)
        .execute()
    await dispense(daysAgo(2))
    expect(await readList()).toMatch(/Next refill \w{3} \d+, \d{4}/)
    expect(await refill(owner)).toBe('303 /prescriptions')
    expect(await readList()).toContain('2 of 2')
    expect(await (await owner.get('/prescriptions')).text()).not.toContain('value="refill"')

    // The product of the last fill is gone: equal ones are offered, other strengths are not.
    await dispense(daysAgo(25))
    await shop.db.updateTable('productVariants').set({ deletedAt: now }).where('id', '=', variantId).execute()
    expect(await refill(owner)).toBe('303 /prescriptions')
    const equalId = await addVariant(shop.db, { ...sold, packageSize: 60, priceCents: 900 })
    expect(await refill(owner)).toBe(`303 /prescriptions?refill=${itemId}`)
    const choices = await readList(`/prescriptions?refill=${itemId}`)
    expect(choices).toContain('1 × Generic, 200 mg, 60 tablet')
    expect(choices).not.toContain('400 mg')
    expect(await refill(owner, { variantId: equalId })).toBe('303 /cart')

    // A prescription that ended asks for a new one; a newer one replaces it in the list.
    const ended = { ...onItem, writtenOn: daysAgo(400).toISOString().slice(0, 10) }
    await addItem(shop.db, { ...ended, variantId: await addVariant(shop.db, { ...sold, strength: '800' }) })
    const list = await readList()
    expect(list).toContain('Lisinopril 800 mg, tablet')
    expect(list).toContain('Ask your doctor for a new one.')
    expect(list).toContain('Print a request')
    await addItem(shop.db, ended)
    expect((await readList()).match(/Lisinopril 200 mg/g)).toHaveLength(1)
  })
})
