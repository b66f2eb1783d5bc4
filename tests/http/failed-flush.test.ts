import type { Db } from '#db/engine/client.ts'
import { receivePicture } from '#server/files/receive-picture.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { replaceLog } from '#tests/support/replace-log.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { eachShop } from '#tests/support/shop.ts'
import { sql } from 'kysely'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'

eachShop(
  (openShop) => {
    test('a response whose data may not be on disk is an error, with its own headers, and is logged', async () => {
      let appDb: Db | undefined
      const shop = await openShop({ wrap: (db) => (appDb = db) })
      await sql`select 1`.execute(appDb!)
      await replaceLog(appDb!)
      const page = await shop
        .visit()
        .get('/products', { 'accept-encoding': 'gzip', accept: 'text/html', cookie: 'theme=light' })
      expect(page.status).toBe(500)
      expect(await page.text()).toContain('Something went wrong')
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/./),
      })
      for (const header of ['content-encoding', 'etag', 'link', 'vary', 'set-cookie'])
        expect(page.headers.get(header), header).toBeNull()

      const entry = await shop.visit().post('/api/login', { email: 'a@b.example', password: 'x' })
      expect([entry.status, entry.headers.get('location')]).toEqual([500, null])
      const lines = shop.log.filter(({ msg }) => msg === 'request' || msg === 'request failed')
      expect(lines).toMatchObject([
        { msg: 'request failed', err: { message: expect.stringContaining('EISDIR') } },
        { path: '/products', status: 500 },
        { msg: 'request failed' },
        { path: '/api/login', status: 500 },
      ])
      expect((await shop.visit().get('/healthz')).status).toBe(500)
    })

    test('replacing a response with an error closes its file', async () => {
      let appDb: Db | undefined
      const read = { isClosed: false }
      const storage: Storage = {
        ...memoryStorage(),
        get: async () =>
          (async function* () {
            try {
              for (;;) yield samplePng()
            } finally {
              read.isClosed = true
            }
          })(),
      }
      const shop = await openShop({ storage, wrap: (db) => (appDb = db) })
      const admin = signedIn(await makeUser(shop.db, { isAdmin: true }), { isAdmin: true })
      const picture = await receivePicture(
        testContext(shop.db, { user: admin, storage }),
        Readable.from([samplePng()]),
      )
      await sql`select 1`.execute(appDb!)
      await replaceLog(appDb!)
      expect((await shop.visit().get(picture)).status).toBe(500)
      await expect.poll(() => read.isClosed, { timeout: 60_000 }).toBe(true)
    })
  },
  ['sqlite'],
)
