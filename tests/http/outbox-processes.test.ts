import type { Db } from '#db/engine/client.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { startSmtpServer, type SmtpAnswer, type SmtpServer } from '#tests/support/smtp-server.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const waitLimitMs = 60_000

async function startServer(answer?: SmtpAnswer): Promise<SmtpServer> {
  const server = await startSmtpServer(answer)
  onTestFinished(server.close)
  return server
}

async function waitUntil(done: () => Promise<boolean> | boolean): Promise<void> {
  const until = Date.now() + waitLimitMs
  while (!(await done())) {
    if (Date.now() > until) throw new Error(`Not within ${waitLimitMs} ms.`)
    await sleep(20)
  }
}

const queue = async (db: Db, count: number): Promise<void> => {
  const ctx = testContext(db, { now: new Date() })
  for (let i = 0; i < count; i++) {
    await queueMail(ctx, {
      to: { address: 'zoe@customer.example' },
      template: 'confirm-email',
      props: { link: `https://shop.example/confirm-email?token=${i}` },
    })
  }
}
const countWaiting = async (db: Db): Promise<number> =>
  (await db.selectFrom('outbox').select('id').where('sentAt', 'is', null).execute()).length

eachEngine((_engine, _openDb, openWithUrl) => {
  test('three processes of a shop send each mail once', async () => {
    const { db, url } = await openWithUrl()
    const server = await startServer()
    const env = { SMTP_URL: server.url }
    const shops = await Promise.all([
      startShop(url, { demoCatalog: false, env: { ...env, WEB_CONCURRENCY: '2' } }),
      startShop(url, { demoCatalog: false, env }),
    ])
    try {
      await queue(db, 60)
      await waitUntil(async () => (await countWaiting(db)) === 0)
    } finally {
      expect(await Promise.all(shops.map((shop) => shop.stop()))).toEqual([0, 0])
    }
    const ids = server.received.map(({ header }) => header.get('message-id'))
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
    expect(server.received.every(({ raw }) => raw.includes('Content-Type: text/html'))).toBe(true)
  })

  test('a shop stopped while its mail server is silent exits 0, and the next one sends the mail', async () => {
    const { db, url } = await openWithUrl()
    let silent = false
    const server = await startServer((moment, count) => {
      if (moment !== 'DATA' || count > 1) return null
      silent = true
      return 'silence'
    })
    const options = { demoCatalog: false, env: { SMTP_URL: server.url } }
    const first = await startShop(url, options)
    await queue(db, 1)
    await waitUntil(() => silent)
    // A shop that has not drained within its limit of 10 s ends with 1.
    expect(await first.stop()).toBe(0)
    expect(await countWaiting(db)).toBe(1)
    const second = await startShop(url, options)
    try {
      await waitUntil(() => server.received.length === 1)
    } finally {
      await second.stop()
    }
  })
})
