import { eachShop } from '#tests/support/shop.ts'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test.each(['/faq', '/products.data', '/api/openapi.json'])('%s is the same compressed', async (path) => {
    const shop = await openShop()
    const read = async (encoding: string) => {
      const { headers, body } = await shop.visit().request(path, { headers: { 'accept-encoding': encoding } })
      const bytes = Buffer.from(await new Response(body).arrayBuffer())
      return { headers, bytes }
    }
    const [plain, refused, compressed] = await Promise.all(['', 'br, gzip;q=0', 'gzip, br'].map(read))
    if (!plain || !refused || !compressed) throw new Error('Three replies are needed.')
    expect([plain, refused, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([
      null,
      null,
      'gzip',
    ])
    const withoutNonce = (text: string): string => text.replace(/nonce="[^"]*"|"[\w-]{22}"/g, '')
    expect(withoutNonce(gunzipSync(compressed.bytes).toString())).toBe(withoutNonce(plain.bytes.toString()))
    for (const { headers, bytes } of [plain, compressed]) {
      expect(headers.get('vary')).toContain('Accept-Encoding')
      expect([null, String(bytes.length)]).toContain(headers.get('content-length'))
    }
  })

  test('a small reply is not compressed, and HEAD has no body', async () => {
    const visitor = (await openShop()).visit()
    const headers = { 'accept-encoding': 'gzip' }
    const small = await visitor.request('/api/products/none', { headers })
    expect([small.status, small.headers.get('content-encoding')]).toEqual([404, null])
    const head = await visitor.request('/faq', { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
