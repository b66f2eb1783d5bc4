import { maxFileBytes } from '#domain/files/files.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { samplePdf, samplePng } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

async function customer(shop: Shop, now?: Date): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db), now)
  return visitor
}

const ask = (visitor: Visitor): Promise<Response> =>
  visitor.request('/api/objects/upload', { method: 'POST' })

async function address(visitor: Visitor): Promise<string> {
  const { uploadURL } = (await (await ask(visitor)).json()) as { uploadURL: string }
  return uploadURL
}

const put = (visitor: Visitor, url: string, body: Uint8Array, headers = {}): Promise<Response> =>
  visitor.request(url, { method: 'PUT', body: Uint8Array.from(body), headers })

const counts = async ({ db }: Shop) => ({
  files: (await db.selectFrom('files').select('id').execute()).length,
  tickets: (await db.selectFrom('uploadTickets').select('id').execute()).length,
})

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('a POST returns an upload URL, which accepts one PUT', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const reply = await ask(visitor)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const { uploadURL, ...more } = (await reply.json()) as { uploadURL: string }
    expect(more).toEqual({})
    expect(uploadURL.startsWith(`${shop.origin}/api/objects/upload/`)).toBe(true)
    const accepted = await put(visitor, uploadURL, samplePdf(), {
      'content-type': 'application/octet-stream',
    })
    expect(accepted.status).toBe(200)
    expect(await accepted.json()).toEqual({ url: expect.stringMatching(/^\/objects\/[\w-]{36}$/) })
    expect(await counts(shop)).toEqual({ files: 1, tickets: 1 })
    const again = await put(visitor, uploadURL, samplePdf())
    expect([again.status, again.headers.get('content-type')]).toEqual([410, 'text/plain; charset=utf-8'])
    expect(await counts(shop)).toMatchObject({ files: 1 })
  })

  test('visitors get 401, other sessions and forged URLs 404, other methods 405, other sites 403', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const url = await address(visitor)
    expect((await ask(shop.visit())).status).toBe(401)
    expect((await put(shop.visit(), url, samplePdf())).status).toBe(401)
    expect((await put(await customer(shop), url, samplePdf())).status).toBe(404)
    for (const forged of [
      url.replace(/signature=./, 'signature='),
      url.replace('expires=1', 'expires=2'),
      // The same number of characters but more bytes.
      url.replace(/signature=.*/, (text) => `signature=${'é'.repeat(text.length - 'signature='.length)}`),
      `${shop.origin}/api/objects/upload/x`,
    ]) {
      expect((await put(visitor, forged, samplePdf())).status, forged).toBe(404)
    }
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const response = await visitor.request(url, { method })
      expect([response.status, response.headers.get('allow')], method).toEqual([405, 'PUT'])
    }
    expect((await visitor.get('/api/objects/upload')).status).toBe(405)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await put(visitor, url, samplePdf(), foreign)).status).toBe(403)
    expect((await put(visitor, url, samplePdf())).status).toBe(200)
    expect(await counts(shop)).toMatchObject({ files: 1 })
  })

  test('an upload URL older than ten minutes is a 403', async () => {
    const clock = { now: new Date('2026-01-05T12:00:00Z') }
    const shop = await openShop({ now: () => clock.now })
    const visitor = await customer(shop, clock.now)
    const urls = [await address(visitor), await address(visitor)] as const
    clock.now = new Date('2026-01-05T12:09:59Z')
    expect((await put(visitor, urls[0], samplePng())).status).toBe(200)
    clock.now = new Date('2026-01-05T12:10:00Z')
    const late = await put(visitor, urls[1], samplePng())
    expect(late.status).toBe(403)
    expect(await late.text()).toContain('expired')
  })

  test.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'image/png',
    ],
    ['a program', Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(100_000)]), 'application/pdf'],
    ['an empty file', Buffer.alloc(0), 'image/jpeg'],
  ])('%s is a 415 whatever its declared type, and nothing is stored', async (_name, bytes, type) => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const url = await address(visitor)
    const refused = await put(visitor, url, bytes, { 'content-type': type })
    expect([refused.status, await refused.text()]).toEqual([415, 'The file isn’t a PDF, JPG or PNG.'])
    expect((await put(visitor, url, samplePdf())).status).toBe(410)
    expect(await counts(shop)).toMatchObject({ files: 0 })
  })

  test('10,485,760 bytes are accepted; one more is a 413, with or without a length', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    expect((await put(visitor, await address(visitor), samplePdf('x', maxFileBytes))).status).toBe(200)
    const more = samplePdf('x', maxFileBytes + 1)
    const declared = await put(visitor, await address(visitor), more, {
      'content-length': String(more.length),
    })
    expect([declared.status, await declared.text()]).toEqual([413, 'The file is larger than 10 MB.'])
    expect((await put(visitor, await address(visitor), more)).status).toBe(413)
    expect(await counts(shop)).toMatchObject({ files: 1 })
  })

  test('a full disk is a 507, and the next upload works', async () => {
    const shop = await openShop()
    const full = await openShop({
      storage: {
        put: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
        get: async () => null,
        delete: async () => {},
        deleteLeftovers: async () => {},
      },
    })
    const visitor = await customer(full)
    const refused = await put(visitor, await address(visitor), samplePdf())
    expect([refused.status, await refused.text()]).toEqual([
      507,
      'We can’t save anything right now. Try again later.',
    ])
    expect(await counts(full)).toMatchObject({ files: 0 })
    const other = await customer(shop)
    expect((await put(other, await address(other), samplePdf())).status).toBe(200)
  })

  test('the log contains neither file content nor URL signatures', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const url = await address(visitor)
    await put(visitor, url, samplePdf('Xanomeline 50 mg'))
    const log = JSON.stringify(shop.log)
    expect(log).not.toContain('Xanomeline')
    expect(log).not.toContain(new URL(url).searchParams.get('signature'))
  })
})
