import type { Db } from '#db/engine/client.ts'
import { eachShop } from '#tests/support/shop.ts'
import { sql } from 'kysely'
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'

/** From now on, a flush finds a folder where the write-ahead log was. */
async function replaceLog(db: Db): Promise<void> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db)
  const log = `${rows[0]?.file ?? ''}-wal`
  renameSync(log, `${log}.moved`)
  mkdirSync(log)
  onTestFinished(() => {
    rmdirSync(log)
    renameSync(`${log}.moved`, log)
  })
}

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
  },
  ['sqlite'],
)
