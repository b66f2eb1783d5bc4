import { newId } from '#domain/ids.ts'
import { readMain } from '#tests/support/page-text.ts'
import { person, json, upload, statusOf } from '#tests/support/prescription-pages.ts'
import { addFile, addIdDocument, addPrescription } from '#tests/support/prescriptions.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

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

    const read = await owner.get(`/api/prescriptions/${id}/file`, { 'sec-fetch-dest': 'image' })
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
})
