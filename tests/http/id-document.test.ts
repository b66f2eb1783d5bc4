import type { AuditAction } from '#domain/audit/audit.ts'
import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { samplePdf, samplePng } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

async function customer(shop: Shop, isAdmin = false): Promise<{ visitor: Visitor; id: string }> {
  const visitor = shop.visit()
  const id = await makeUser(shop.db, { isAdmin })
  await signInAs(visitor, shop.db, id)
  return { visitor, id }
}

async function upload(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  const reply = await visitor.request('/api/objects/upload', { method: 'POST' })
  const { uploadURL } = (await reply.json()) as { uploadURL: string }
  const answer = await visitor.request(uploadURL, { method: 'PUT', body: Uint8Array.from(bytes) })
  return ((await answer.json()) as { url: string }).url
}

const register = (visitor: Visitor, body: unknown): Promise<Response> =>
  visitor.request('/api/profile/id-document', {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

type FormOptions = { name?: string; userId?: string; query?: string; from?: string }

/** Submits the profile page's form like a browser without JavaScript. */
function postForm(
  visitor: Visitor,
  file: Uint8Array | null,
  { name = 'passport.pdf', userId, query = '', from }: FormOptions = {},
): Promise<Response> {
  const form = new FormData()
  if (from !== undefined) form.set('from', from)
  if (userId !== undefined) form.set('userId', userId)
  form.set('idDocumentURL', new File(file ? [Uint8Array.from(file)] : [], file ? name : ''))
  return visitor.request(`/profile/id-document${query}`, {
    method: 'POST',
    body: form,
    headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  })
}

const actionsOf = async ({ db }: Shop, action: AuditAction) =>
  db.selectFrom('auditLog').select(['actorId', 'subjectId']).where('action', '=', action).execute()
const filesOf = ({ db }: Shop) => db.selectFrom('files').select(['id', 'discardedAt']).orderBy('id').execute()

const path = (id: string): string => `/api/users/${id}/id-document`

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('an ID document for a checkout leads back to the prescription’s upload', async () => {
    const shop = await openShop()
    const { visitor } = await customer(shop)
    const upload = '/prescriptions/upload?from=checkout'
    const profile = '/profile?from=checkout'
    const link = `href="${profile}#id-document-verification"`
    expect(await (await visitor.get(upload)).text()).toContain(link)
    expect(await (await visitor.get('/prescriptions/upload')).text()).not.toContain(link)
    const before = await (await visitor.get(profile)).text()
    expect(before).toContain('action="/profile/id-document?from=checkout"')
    expect(before).not.toContain('Continue to your prescription')
    const forCheckout = { query: '?from=checkout' }
    const signedOut = await postForm(shop.visit(), samplePdf('Passport', 1000), forCheckout)
    const returnTo = encodeURIComponent(`${profile}#id-document-verification`)
    expect(signedOut.headers.get('location')).toBe(`/api/login?returnTo=${returnTo}`)
    const sent = await postForm(visitor, samplePdf('Passport', 1000), forCheckout)
    expect(sent.headers.get('location')).toBe(`${profile}#id-document-verification`)
    const refused = await postForm(visitor, null, forCheckout)
    expect(refused.headers.get('location')).toBe(profile)
    const html = await (await visitor.get(profile)).text()
    expect(html).toMatch(/href="\/prescriptions\/upload\?from=checkout"[^>]*>Continue to your prescription</)
    expect(html).toMatch(/href="\/prescriptions\/upload\?from=checkout"[^>]*>Upload Prescription</)
    expect(await (await visitor.get('/profile')).text()).not.toContain('Continue to your prescription')
  })

  test('an uploaded file becomes the ID document and is served with safe headers', async () => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    expect((await visitor.get(path(id))).status).toBe(404)
    const bytes = samplePdf('Passport', 150_000)
    const registered = await register(visitor, { idDocumentURL: await upload(visitor, bytes) })
    expect(registered.status).toBe(200)
    expect(await registered.json()).toEqual({
      user: expect.objectContaining({ id, idDocumentPath: path(id) }),
    })
    // As the page of a case requests it.
    const file = await visitor.get(path(id), { 'sec-fetch-dest': 'image' })
    expect(file.status).toBe(200)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '150000',
      'content-disposition': 'inline; filename="id-document.pdf"',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    })
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
    const head = await visitor.request(path(id), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '150000', ''])
    expect((await visitor.request(path(id), { method: 'DELETE' })).status).toBe(405)
  })

  test('other users get 404, visitors 401, admins the document, and reads are audited', async () => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    await register(visitor, { idDocumentURL: await upload(visitor, samplePng()) })
    const [other, admin] = [await customer(shop), await customer(shop, true)]
    expect((await shop.visit().get(path(id))).status).toBe(401)
    expect((await other.visitor.get(path(id))).status).toBe(404)
    for (const missing of [newId(), 'x', '../../etc/passwd', `${id}\0`, other.id]) {
      expect((await admin.visitor.get(`/api/users/${encodeURIComponent(missing)}/id-document`)).status).toBe(
        404,
      )
    }
    expect((await admin.visitor.get(path(id))).headers.get('content-type')).toBe('image/png')
    await visitor.get(path(id))
    expect(await actionsOf(shop, 'id-document.read')).toEqual([
      { actorId: admin.id, subjectId: id },
      { actorId: id, subjectId: id },
    ])
    expect(await actionsOf(shop, 'id-document.replaced')).toEqual([{ actorId: id, subjectId: id }])
  })

  test('a new document replaces and discards the old one', async () => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    await register(visitor, { idDocumentURL: await upload(visitor, samplePdf()) })
    await register(visitor, { idDocumentURL: await upload(visitor, samplePng()) })
    expect((await visitor.get(path(id))).headers.get('content-type')).toBe('image/png')
    expect((await filesOf(shop)).map(({ discardedAt }) => discardedAt !== null)).toEqual([true, false])
  })

  test('a reference registers once; foreign ones are 422, unknown keys 400', async () => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    const other = await customer(shop)
    const url = await upload(visitor, samplePdf())
    for (const value of [
      await upload(other.visitor, samplePdf()),
      'file:///etc/passwd',
      'http://localhost:3000/objects/x',
      'https://169.254.169.254/',
      '',
      7,
      null,
    ]) {
      const refused = await register(visitor, { idDocumentURL: value })
      expect(refused.status, String(value)).toBe(422)
      expect(await refused.text()).toContain('idDocumentURL')
    }
    expect((await register(visitor, {})).status).toBe(422)
    expect((await register(visitor, { idDocumentURL: url, isAdmin: true })).status).toBe(400)
    expect((await register(shop.visit(), { idDocumentURL: url })).status).toBe(401)
    expect((await visitor.get(path(id))).status).toBe(404)
    expect((await register(visitor, { idDocumentURL: url })).status).toBe(200)
    const again = await register(visitor, { idDocumentURL: url })
    expect(again.status).toBe(409)
    expect((await visitor.get(path(id))).status).toBe(200)
  })

  test('an unreadable form gets an error page', async () => {
    const shop = await openShop()
    const { visitor } = await customer(shop)
    const refused = await visitor.request('/profile/id-document', {
      method: 'POST',
      body: 'torn',
      headers: { 'content-type': 'multipart/form-data; boundary=abc' },
    })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(await refused.text()).toContain('The upload was interrupted. Try again.')
  })

  test('without JavaScript the profile page’s form uploads the file', async () => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    const before = await (await visitor.get('/profile')).text()
    expect(before).toContain('No ID document uploaded yet')
    expect(before).toMatch(/<form [^>]*action="\/profile\/id-document"[^>]*enctype="multipart\/form-data"/i)
    expect(before).toMatch(/<input [^>]*type="file"[^>]*name="idDocumentURL"/)
    const bytes = samplePdf('Passport', 300_000)
    const posted = await postForm(visitor, bytes)
    expect(posted.status).toBe(303)
    expect(posted.headers.get('location')).toMatch(/^\/profile/)
    const page = await (await visitor.get('/profile')).text()
    for (const text of [
      'ID Document Uploaded',
      'Your ID document has been uploaded successfully',
      'Replace ID Document',
      `href="${path(id)}"`,
    ])
      expect(page).toContain(text)
    expect(Buffer.from(await (await visitor.get(path(id))).arrayBuffer()).equals(bytes)).toBe(true)
  })

  test.each([
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'The file isn’t a PDF, JPG or PNG.'],
    ['a file too big', samplePdf('x', 12_000_000), 'The file is larger than 10 MB.'],
    ['no file', null, 'Choose a file first.'],
  ])('without JavaScript %s fails with a message and stores nothing', async (_name, bytes, sentence) => {
    const shop = await openShop()
    const { visitor, id } = await customer(shop)
    const posted = await postForm(visitor, bytes)
    expect([posted.status, posted.headers.get('location')]).toEqual([303, '/profile'])
    const page = await (await visitor.get('/profile')).text()
    expect(page).toContain('Upload Failed')
    expect(page).toContain('Failed to upload ID document')
    expect(page).toContain(sentence)
    expect(page).toContain('No ID document uploaded yet')
    expect((await visitor.get(path(id))).status).toBe(404)
    expect(await filesOf(shop)).toEqual([])
    // The form for a checkout keeps the way back.
    const forCheckout = await postForm(visitor, bytes, { query: '?from=checkout' })
    expect(forCheckout.headers.get('location')).toBe('/profile?from=checkout')
  })

  test('a form of another account replaces no document', async () => {
    const shop = await openShop()
    const [shown, current] = [await customer(shop), await customer(shop)]
    const page = await (await shown.visitor.get('/profile')).text()
    const form = /<form [^>]*action="\/profile\/id-document".*?<\/form>/s.exec(page)?.[0]
    expect(form).toContain(`name="userId" value="${shown.id}"`)
    const bytes = samplePdf('Passport')
    await register(current.visitor, { idDocumentURL: await upload(current.visitor, bytes) })
    await postForm(current.visitor, samplePdf('Another'), { userId: shown.id })
    expect(await (await current.visitor.get('/profile')).text()).toContain('signed in to a different account')
    const file = await current.visitor.get(path(current.id))
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('a GET of the form’s URL redirects to the profile, a visitor’s form to sign-in', async () => {
    const shop = await openShop()
    const { visitor } = await customer(shop)
    expect((await visitor.get('/profile/id-document')).headers.get('location')).toBe('/profile')
    const visitors = await postForm(shop.visit(), samplePdf())
    const returnTo = encodeURIComponent('/profile#id-document-verification')
    expect([visitors.status, visitors.headers.get('location')]).toEqual([
      303,
      `/api/login?returnTo=${returnTo}`,
    ])
  })
})
