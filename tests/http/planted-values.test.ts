import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { health, ordered, planted } from '#tests/support/planted-values.ts'
import { useEverything } from '#tests/support/planted-visit.ts'
import { openRecordingBrowser } from '#tests/support/recording-browser.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { startSmtpServer, type ReceivedMail } from '#tests/support/smtp-server.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { customersBytes, databaseBytes, folderBytes } from '#tests/support/stored-bytes.ts'
import { encodedFormsOf, tracesIn } from '#tests/support/traces.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-planted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Emails as received, with line breaks and escapes of their parts decoded. */
const wordsOf = (mails: readonly ReceivedMail[]): string =>
  mails
    .flatMap(({ raw }) => [
      raw,
      raw.replace(/\r\n/g, ''),
      raw
        .replace(/=\r\n/g, '')
        .replace(/(=[0-9A-F]{2})+/g, (bytes) =>
          Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
        ),
    ])
    .join('\n')

eachEngine((_engine, _openDb, openWithUrl) => {
  test(
    'no customer data appears in the database, the files, the log, URLs or emails',
    { timeout: 120_000 },
    async () => {
      const { db, url } = await openWithUrl()
      const files = temporaryFolder()
      // Refuses some addresses with a message that contains the customer's.
      const smtp = await startSmtpServer((moment, count) =>
        moment === 'RCPT' && count % 3 === 2 ? `451 later, ${planted.email} of ${planted.lastName}` : null,
      )
      onTestFinished(smtp.close)
      let log = ''
      const shop = await startShop(url, {
        demoCatalog: false,
        onLog: (text) => void (log += text),
        env: {
          LOG_LEVEL: 'trace',
          STORAGE: `local:${files}`,
          SMTP_URL: smtp.url,
          RATE_LIMITS: 'off',
        },
      })
      const customer = openRecordingBrowser(shop.origin, planted.userAgent)
      const admin = openRecordingBrowser(shop.origin, 'Firefox')
      const secrets: Record<string, string> = {}
      try {
        const productId = await addProduct(db, { name: ordered.medicine, category: 'Rx' })
        const variantId = await addVariant(db, { productId, brandName: ordered.brand })
        await useEverything(customer, admin, secrets, variantId, async () => {
          await db.updateTable('users').set({ emailConfirmedAt: new Date() }).execute()
        })
        const linkPattern = /\/(confirm-email|reset-password)\?token=[\w-]{43}/
        // A refused email is retried after half a minute.
        await vi.waitFor(() => expect(wordsOf(smtp.received)).toMatch(linkPattern), { timeout: 60_000 })
        const [link = ''] = linkPattern.exec(wordsOf(smtp.received)) ?? []
        secrets['linkToken'] = link.slice(-43)
        expect((await customer.call(link)).status).toBe(200)
        secrets['session'] = customer.cookies.get('session') ?? ''
        const devices = Buffer.from(decodeURIComponent(customer.cookies.get('device') ?? ''), 'base64')
        secrets['device'] = z.tuple([z.base64url().length(43)]).parse(JSON.parse(devices.toString()))[0]
        // Read while the shop runs, to include the write-ahead log.
        expect(tracesIn(await databaseBytes(db, url), { ...planted, ...secrets })).toEqual([])
      } finally {
        await shop.stop()
      }
      const values = { ...planted, ...secrets }
      expect(Object.keys(values).length).toBeGreaterThan(20)

      const database = await databaseBytes(db, url)
      expect(tracesIn(database, values)).toEqual([])
      expect(tracesIn(folderBytes(files), values)).toEqual([])
      expect(tracesIn(Buffer.from(log), values)).toEqual([])
      expect(tracesIn(Buffer.from([...customer.redirects, ...admin.redirects].join('\n')), values)).toEqual(
        [],
      )
      const mails = Buffer.from(wordsOf(smtp.received))
      const orderPlace = { street: planted.orderStreet, city: planted.orderCity }
      expect(tracesIn(mails, { ...health, ...ordered, ...orderPlace })).toEqual([])
      const [variant] = await db.selectFrom('productVariants').select(['id', 'productId']).execute()
      const [order] = await db.selectFrom('orders').select('id').execute()
      const orderedIds = { variantId: variant?.id ?? '', productId: variant?.productId ?? '' }
      const stored = await customersBytes(db)
      expect(tracesIn(stored, { ...ordered, ...orderedIds })).toEqual([])
      expect(tracesIn(stored, { id: order?.id ?? '' })).toContain('id: plain')
      expect(tracesIn(Buffer.from(log), ordered)).toEqual([])
      expect(tracesIn(Buffer.from([...customer.redirects, ...admin.redirects].join('\n')), ordered)).toEqual(
        [],
      )
      expect(tracesIn(database, ordered)).toContain('medicine: plain')

      // Proof that each of these was searched: a planted value is found in it.
      const [row] = await db
        .selectFrom('prescriptions')
        .select(['id', 'fileId'])
        .orderBy('uploadedAt', 'desc')
        .execute()
      expect(tracesIn(database, { id: row?.id ?? '' })).toContain('id: plain')
      expect(tracesIn(folderBytes(files), { id: row?.fileId ?? '' })).toContain('id: plain')
      expect(tracesIn(Buffer.from(log), { path: `/api/prescriptions/${row?.id}/file` })).toContain(
        'path: plain',
      )
      expect(tracesIn(mails, { email: planted.email })).toContain('email: plain')
      await db
        .insertInto('rateLimits')
        .values({ keyHash: `of ${planted.medications.toUpperCase()}`, hits: 1, endsAt: new Date() })
        .execute()
      const leaks = tracesIn(await databaseBytes(db, url), planted)
      expect(leaks).toContain('medications: plain')
      expect(leaks.filter((leak) => !leak.startsWith('medications: '))).toEqual([])
      writeFileSync(join(files, 'leak'), samplePdf(planted.prescription))
      expect(tracesIn(folderBytes(files), planted)).toContain('prescription: plain')
    },
  )
})

test('the search finds a value in every encoding and at every offset', () => {
  const found = (text: string): string[] => tracesIn(Buffer.from(text), planted)
  for (const [name, value] of Object.entries(planted)) {
    for (const form of encodedFormsOf(value)) {
      expect(found(`before ${form.text} after`), `${name}, ${form.name}`).toContain(`${name}: ${form.name}`)
    }
    for (const before of ['', 'a', 'ab', 'abc']) {
      const whole = Buffer.from(`${before}${value} and more`)
      for (const encoding of ['base64', 'base64url'] as const) {
        expect(found(whole.toString(encoding)).join(), `${name} in ${encoding}`).toContain(
          `${name}: ${encoding}`,
        )
      }
      expect(found(whole.toString('hex')).join()).toContain(`${name}: hex`)
    }
  }
  expect(found('nothing of it')).toEqual([])
})
