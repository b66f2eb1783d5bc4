import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { mkdtempSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const form = (parts: readonly [string, string][]): string =>
  parts
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('') + '--b--\r\n'

eachShop((openShop) => {
  test('an upload form with too many fields is 413, and 401 for a visitor without being read', async () => {
    const parts = Array.from({ length: 101 }, (): [string, string] => ['', ''])
    const shop = await openShop({ catalog: 'empty' })
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    const post = async (visitor: Visitor): Promise<number> => {
      const { status } = await visitor.request('/prescriptions/upload', {
        method: 'POST',
        body: form(parts),
        headers: { 'content-type': 'multipart/form-data; boundary=b', origin: shop.origin },
      })
      return status
    }
    expect([await post(customer), await post(shop.visit())]).toEqual([413, 401])
  })
})

/** The status, and the local port, which identifies the agent's connection. */
function call(
  agent: Agent,
  url: string,
  method: string,
  body = Buffer.alloc(0),
): Promise<{ status: number | undefined; port: number | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-length': body.length,
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(url).origin,
    }
    request(url, { agent, method, headers }, (response) => {
      const { localPort: port } = response.socket
      response.resume().on('end', () => resolve({ status: response.statusCode, port }))
    })
      .on('error', reject)
      .end(body)
  })
}

test('the connection of a refused body serves the next request', async () => {
  const shop = await startShop(`sqlite:${join(mkdtempSync(join(tmpdir(), 'meridian-')), 'shop.sqlite')}`, {
    demoCatalog: false,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (const bytes of [300_000, 12_000_000]) {
      const refused = await call(agent, `${shop.origin}/login`, 'POST', Buffer.alloc(bytes, 'a'))
      expect(refused.status).toBe(413)
      await sleep(700)
      const next = await call(agent, `${shop.origin}/healthz`, 'GET')
      expect(next).toEqual({ status: 200, port: refused.port })
    }
  } finally {
    agent.destroy()
    await shop.stop()
  }
})
