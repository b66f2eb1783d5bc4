import { claimMails } from '#db/mail/outbox.ts'
import type { Db } from '#db/engine/client.ts'
import { inTransaction } from '#server/context.ts'
import { openSmtp } from '#server/integrations/mail/smtp.ts'
import { sendDueMails, pauseAfter } from '#server/mail/send-mails.ts'
import type { JobContext } from '#server/job-context.ts'
import { createLog } from '#server/log.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { testDay } from '#tests/support/catalog.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { startSmtpServer, type SmtpAnswer } from '#tests/support/smtp-server.ts'
import { expect, onTestFinished, test } from 'vitest'

const mail = {
  to: { address: 'support@shop.example' },
  replyTo: { name: 'Zoë "Z" O’Hara, Dr.', address: 'zoe@customer.example' },
  subject: 'Grüße & a long subject that has to be folded somewhere on its way through the mail servers',
  text: 'Hello,\n.\nFrom here on ünïcode 💊\n..two dots\n',
}

const minutes = (count: number): number => count * 60_000
const running = (): AbortSignal => new AbortController().signal

/** A sending process with this mail server, a manual clock and a captured log. */
async function startSender(db: Db, answer?: SmtpAnswer) {
  const server = await startSmtpServer(answer)
  const mailer = openSmtp(server.url, 'Meridian <no-reply@shop.example>')
  onTestFinished(async () => {
    mailer.close()
    await server.close()
  })
  const log: Record<string, unknown>[] = []
  let now = testDay
  const ctx: JobContext = {
    db,
    keys: testKeys,
    now: () => now,
    log: createLog('info', { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
  }
  return {
    received: server.received,
    log,
    mailer,
    ctx,
    /** Runs the job once, this long after the start of the test day. */
    send: async (afterMs = 0, { keep = false, signal = running() } = {}) => {
      now = new Date(testDay.getTime() + afterMs)
      await sendDueMails(ctx, mailer, { keep, signal })
    },
  }
}

const rows = (db: Db) => db.selectFrom('outbox').selectAll().orderBy('id').execute()

test('the pause doubles from half a minute to an hour, with jitter', () => {
  const middle = () => 0.5
  expect([1, 2, 3, 7, 8, 20, 59].map((attempts) => pauseAfter(attempts, middle) / 1000)).toEqual([
    30, 60, 120, 1920, 3600, 3600, 3600,
  ])
  expect(pauseAfter(1, () => 0)).toBe(22_500)
  expect(pauseAfter(1, () => 1)).toBe(37_500)
})

eachEngine((_engine, openDb) => {
  test('a mail arrives unchanged, and its stored text is deleted', async () => {
    const db = await openDb()
    const { received, send } = await startSender(db)
    await queueMail(testContext(db), mail)
    await send()
    const [arrived, ...others] = received
    expect(others).toEqual([])
    expect(arrived?.to).toEqual(['support@shop.example'])
    expect(arrived?.text.trimEnd()).toBe(mail.text.trimEnd())
    const [row] = await rows(db)
    expect(arrived?.header.get('message-id')).toBe(`<${row?.id}@shop.example>`)
    expect(arrived?.header.get('from')).toBe('Meridian <no-reply@shop.example>')
    expect(arrived?.header.get('reply-to')).toMatch(/<zoe@customer\.example>$/)
    expect(arrived?.header.get('date')).toBe('Mon, 05 Jan 2026 12:00:00 +0000')
    expect(arrived?.header.get('auto-submitted')).toBe('auto-generated')
    expect(row).toMatchObject({ sealedMail: null, attempts: 1, sentAt: testDay, failedAt: null })
    await send(minutes(60))
    expect(received).toHaveLength(1)
  })

  test('mail of a rolled-back transaction is not sent', async () => {
    const db = await openDb()
    const { received, send } = await startSender(db)
    const ctx = testContext(db)
    await expect(
      inTransaction(ctx, async (ctx) => {
        await queueMail(ctx, mail)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await send()
    expect(received).toEqual([])
  })

  test('a mail’s row has no plain text, and the outbox page can read it', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    await queueMail(ctx, mail)
    expect(JSON.stringify(await rows(db))).not.toMatch(/support@|zoe@|O’Hara|Grüße|two dots|Hello,/)
    expect(await listOutbox(ctx)).toEqual([
      { ...mail, html: null, id: expect.any(String), createdAt: testDay, state: 'stored' },
    ])
  })

  test('a demo with a mail server keeps sent mail, newest first', async () => {
    const db = await openDb()
    const { send } = await startSender(db)
    for (const subject of ['first', 'second']) await queueMail(testContext(db), { ...mail, subject })
    await send(0, { keep: true })
    expect((await listOutbox(testContext(db))).map(({ subject, state }) => [subject, state])).toEqual([
      ['second', 'sent'],
      ['first', 'sent'],
    ])
  })

  test('four concurrent senders send each mail once', async () => {
    const db = await openDb()
    for (let i = 0; i < 60; i++) await queueMail(testContext(db), { ...mail, subject: `mail ${i}` })
    const senders = await Promise.all([0, 1, 2, 3].map(() => startSender(db)))
    await Promise.all(senders.map(({ send }) => send()))
    const ids = senders.flatMap(({ received }) => received.map(({ header }) => header.get('message-id')))
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
    expect((await rows(db)).every(({ sentAt, attempts }) => sentAt !== null && attempts === 1)).toBe(true)
  })

  // A rejected sender is the shop's own configuration: it concerns every mail.
  test.each([
    ['MAIL', '451 later'],
    ['RCPT', '451 later'],
    ['DATA', '451 later'],
    ['END', '451 later'],
    ['MAIL', '554 sender suspended'],
  ] as const)(
    'a mail whose %s is answered with "%s" is sent later with the same Message-ID',
    async (moment, reply) => {
      const db = await openDb()
      const { received, send, log } = await startSender(db, (at, count) =>
        at === moment && count === 1 ? `${reply}, support@shop.example` : null,
      )
      await queueMail(testContext(db), mail)
      await send()
      expect(received).toEqual([])
      await send(10_000)
      expect(received).toEqual([])
      await send(minutes(1))
      const [row] = await rows(db)
      expect(received.map(({ header }) => header.get('message-id'))).toEqual([`<${row?.id}@shop.example>`])
      expect(row).toMatchObject({ attempts: 2, failedAt: null })
      expect(log).toMatchObject([{ level: 'warn', msg: 'mail not sent yet', outboxId: row?.id, attempts: 1 }])
      expect(JSON.stringify(log)).not.toContain('support@')
    },
  )

  test('a broken connection is retried, after acceptance with the same Message-ID', async () => {
    const db = await openDb()
    const { received, send } = await startSender(db, (at, count) =>
      at === 'END' && count === 1 ? 'break' : null,
    )
    await queueMail(testContext(db), mail)
    await send()
    expect(received).toEqual([])
    await send(minutes(1))
    expect(received).toHaveLength(1)
  })

  test('a permanently rejected recipient fails at once, and the log has no address', async () => {
    const db = await openDb()
    const { received, send, log } = await startSender(db, (at) =>
      at === 'RCPT' ? '550 <support@shop.example> unknown' : null,
    )
    await queueMail(testContext(db), mail)
    await send()
    await send(minutes(120))
    expect(received).toEqual([])
    const [row] = await rows(db)
    expect(row).toMatchObject({ attempts: 1, sentAt: null, failedAt: testDay })
    expect(row?.sealedMail).not.toBeNull()
    expect(log).toMatchObject([{ level: 'error', msg: 'mail failed permanently', code: 'EENVELOPE 550' }])
    expect(JSON.stringify(log)).not.toMatch(/support@|zoe@|Hara/)
  })

  test('mail fails for good after sixty attempts', async () => {
    const db = await openDb()
    const { send, log } = await startSender(db, (at) => (at === 'MAIL' ? '451 later' : null))
    await queueMail(testContext(db), mail)
    let tries = 0
    for (; tries < 100 && (await rows(db))[0]?.failedAt === null; tries++) await send(minutes(tries * 90))
    expect(tries).toBe(60)
    expect(log.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'mail failed permanently', attempts: 60 },
    ])
  })

  test('mail claimed by a dead process is sent by another one after the lease', async () => {
    const db = await openDb()
    const { received, send } = await startSender(db)
    await queueMail(testContext(db), mail)
    const claim = { now: testDay, leaseEnds: new Date(testDay.getTime() + minutes(5)), limit: 10 }
    expect(await claimMails(db, claim)).toHaveLength(1)
    await send(minutes(4))
    expect(received).toEqual([])
    await send(minutes(5))
    expect(received).toHaveLength(1)
  })

  test('stopping aborts a silent server and leaves the mail to the next process', async () => {
    const db = await openDb()
    const stopping = new AbortController()
    const { received, send } = await startSender(db, (at, count) => {
      if (at !== 'DATA' || count > 1) return null
      stopping.abort()
      return 'silence'
    })
    await queueMail(testContext(db), mail)
    await send(0, { signal: stopping.signal })
    expect(received).toEqual([])
    await send()
    expect(received).toHaveLength(1)
  })

  test('a mail that cannot be decrypted does not block the others', async () => {
    const db = await openDb()
    const { received, send, log } = await startSender(db)
    await queueMail(testContext(db), { ...mail, subject: 'broken' })
    await db.updateTable('outbox').set({ sealedMail: 'v1.gone.AAAA.AAAA.AAAA' }).execute()
    await queueMail(testContext(db), { ...mail, subject: 'whole' })
    await send()
    expect(received.map(({ header }) => header.get('subject'))).toEqual(['whole'])
    expect(log.map(({ msg }) => msg)).toEqual(['mail could not be decrypted', 'mail not sent yet'])
  })
})
