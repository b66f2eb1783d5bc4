import { maxPictureBytes } from '#domain/catalog/product-pictures.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { jpegSegment, pngChunk, sampleJpeg, samplePdf, samplePng } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const path = '/admin/products/picture'

/** A PNG of exactly this size. */
const pngOf = (bytes: number): Buffer =>
  samplePng(pngChunk('IDAT', Buffer.alloc(bytes - samplePng(pngChunk('IDAT', Buffer.alloc(0))).length)))

/** A picture that no other test uploads. */
const newPng = (text: string): Buffer => samplePng(pngChunk('iCCP', Buffer.from(text)))

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })

  function upload(visitor: Visitor, bytes: Uint8Array, headers: Record<string, string> = {}) {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(bytes)], 'picture.png', { type: 'image/png' }))
    return visitor.request(path, { method: 'POST', body: form, headers: { origin: shop.origin, ...headers } })
  }

  const imageOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { image: string }).image

  const pictures = () => shop.db.selectFrom('productPictures').selectAll().execute()

  test('an uploaded picture is public, cached forever, and shown for its product', async () => {
    for (const [bytes, type, ending] of [
      [newPng('shown'), 'image/png', 'png'],
      [sampleJpeg(jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0me'))), 'image/jpeg', 'jpg'],
    ] as const) {
      const uploaded = await upload(admin, bytes)
      expect(uploaded.status).toBe(200)
      expect(uploaded.headers.get('cache-control')).toBe('private, no-store')
      const image = await imageOf(uploaded)
      expect(image).toMatch(new RegExp(`^/img/p/[0-9a-f-]{36}\\.${ending}$`))

      const visitor = shop.visit()
      const read = await visitor.get(image)
      expect(read.status).toBe(200)
      expect(Object.fromEntries(read.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      })
      expect(read.headers.get('set-cookie')).toBeNull()
      expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
      const head = await visitor.request(image, { method: 'HEAD' })
      expect([head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([
        String(bytes.length),
        0,
      ])
      const again = await visitor.get(image, { 'if-none-match': read.headers.get('etag') ?? '' })
      expect([again.status, again.headers.get('cache-control')]).toEqual([
        304,
        'public, max-age=31536000, immutable',
      ])

      const productId = await addProduct(shop.db, { name: `Pictured ${ending}` })
      await addVariant(shop.db, { productId })
      const saved = await admin.request(`/api/products/${productId}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', origin: shop.origin },
        body: JSON.stringify({ image }),
      })
      expect(saved.status).toBe(200)
      expect(await (await visitor.get(`/products/${productId}`)).text()).toContain(`src="${image}"`)
    }
  })

  test('a product’s picture that is a page or a call does nothing for the browsers that show it', async () => {
    const customer = shop.visit()
    const customerId = await makeUser(shop.db)
    await signInAs(customer, shop.db, customerId)
    const asPicture = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    }
    for (const image of ['/api/logout', '/API/LOGOUT', '/img/p/../../api/logout', '/orders', '/products']) {
      const reply = await customer.get(image, asPicture)
      expect([image, reply.status, reply.headers.get('set-cookie')]).toEqual([image, 404, null])
      expect(await reply.text()).toBe('Not found.')
    }
    const actions = await shop.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', customerId)
      .execute()
    expect(actions).toEqual([{ action: 'account.created' }])
    expect((await customer.get('/api/auth/user')).status).toBe(200)
    const uploaded = await imageOf(await upload(admin, newPng('still shown')))
    const productId = await addProduct(shop.db, { name: 'Drawn' })
    await addVariant(shop.db, { productId })
    const html = await (await customer.get(`/products/${productId}`)).text()
    const drawn = /src="(\/img\/v\/[^"]+)"/.exec(html)?.[1] ?? 'no illustration'
    for (const shown of [uploaded, drawn, '/favicon.svg', '/share.png'])
      expect((await customer.get(shown, asPicture)).status, shown).toBe(200)
  })

  test('the same bytes are the same picture, whoever uploads them and however often', async () => {
    const bytes = newPng('twice')
    const other = shop.visit()
    await signInAs(other, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const before = (await pictures()).length
    const images = await Promise.all(
      [admin, other, admin].map(async (who) => imageOf(await upload(who, bytes))),
    )
    images.push(await imageOf(await upload(other, bytes)))
    expect(new Set(images).size).toBe(1)
    expect(await pictures()).toHaveLength(before + 1)
    expect((await shop.visit().get(images[0] ?? '')).status).toBe(200)
  })

  test('visitors, customers and other sites cannot upload; only POST is allowed', async () => {
    const before = (await pictures()).length
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    expect((await upload(shop.visit(), newPng('nobody'))).status).toBe(401)
    expect((await upload(customer, newPng('customer'))).status).toBe(403)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await upload(admin, newPng('foreign'), foreign)).status).toBe(403)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const refused = await admin.request(path, { method })
      expect([refused.status, refused.headers.get('allow')], method).toEqual([405, 'POST'])
    }
    expect(await pictures()).toHaveLength(before)
  })

  test.each([
    ['a PDF', samplePdf()],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a picture that is a page besides', newPng('<script>alert(1)</script>')],
    ['half a picture', newPng('half').subarray(0, -12)],
    ['an empty file', Buffer.alloc(0)],
  ])('%s is 415, and nothing is stored', async (_name, bytes) => {
    const before = (await pictures()).length
    const refused = await upload(admin, bytes)
    expect([refused.status, await refused.text()]).toEqual([415, 'The picture must be a JPG or PNG.'])
    expect(await pictures()).toHaveLength(before)
  })

  test('2,097,152 bytes are accepted; one more is 413, with or without a length; no file is 422', async () => {
    const most = pngOf(maxPictureBytes)
    expect(most).toHaveLength(2_097_152)
    const image = await imageOf(await upload(admin, most))
    expect(Buffer.from(await (await shop.visit().get(image)).arrayBuffer()).equals(most)).toBe(true)
    const before = (await pictures()).length
    const tooLarge = [413, 'The picture must be 2 MB or smaller.']
    const more = await upload(admin, pngOf(maxPictureBytes + 1))
    expect([more.status, await more.text()]).toEqual(tooLarge)
    const declared = await upload(admin, pngOf(maxPictureBytes), { 'content-length': '1000000000' })
    expect([declared.status, await declared.text()]).toEqual(tooLarge)
    expect((await upload(admin, Buffer.alloc(20_000_000, samplePng()))).status).toBeGreaterThanOrEqual(413)
    const none = new FormData()
    none.append('file', '')
    const empty = await admin.request(path, { method: 'POST', body: none, headers: { origin: shop.origin } })
    expect([empty.status, await empty.text()]).toEqual([422, 'file: Choose a picture.'])
    expect(await pictures()).toHaveLength(before)
  })

  test('an unknown picture is 404 with a message, and not cached', async () => {
    const image = await imageOf(await upload(admin, newPng('addressed')))
    const id = image.slice('/img/p/'.length, -'.png'.length)
    for (const invalid of [
      `${id}.jpg`,
      `${id}.jpeg`,
      `${id}.svg`,
      id,
      `${id.toUpperCase()}.PNG`,
      `${id}.png.png`,
      '019a7c1e-0000-7000-8000-000000000000.png',
      '..%2F..%2Fetc%2Fpasswd.png',
      '%00.png',
    ]) {
      const missing = await shop.visit().get(`/img/p/${invalid}`)
      expect([missing.status, missing.headers.get('cache-control')], invalid).toEqual([404, 'no-store'])
      expect(await missing.text(), invalid).toMatch(/^[A-Z].*\.$/)
    }
    expect((await admin.request(image, { method: 'POST', headers: { origin: shop.origin } })).status).toBe(
      405,
    )
  })
})
