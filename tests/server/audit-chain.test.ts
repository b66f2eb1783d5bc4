import { getEngine, type Db } from '#db/engine/client.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { verifyAudit, type AuditSummary } from '#server/audit/verify-audit.ts'
import { inTransaction } from '#server/context.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { createLog } from '#server/log.ts'
import { testDay } from '#tests/support/catalog.ts'
import { runCommand, startCommand, type CommandResult } from '#tests/support/commands.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { once } from 'node:events'
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const running = (): AbortSignal => new AbortController().signal
const quiet = createLog('silent')

/** Writes rows as use cases do, one per transaction. */
async function write(db: Db, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await inTransaction(testContext(db, { now: new Date(testDay.getTime() + i) }), (ctx) =>
      recordAudit(ctx, {
        action: 'profile.read',
        subjectId: 'user',
        ...(i % 2 && { objectId: `no ${i}` }),
      }),
    )
    // On SQLite nothing here yields, so no other task would run.
    await yieldToEventLoop()
  }
}

async function verify(db: Db, knownHead?: string): Promise<AuditSummary & { messages: string[] }> {
  const messages: string[] = []
  const summary = await verifyAudit(db, {
    onFinding: (sentence) => void messages.push(sentence),
    ...(knownHead !== undefined && { knownHead }),
  })
  return { ...summary, messages }
}

/** Acts as a database owner: disables the triggers, then runs the statements. */
async function tamper(db: Db, ...statements: string[]): Promise<void> {
  for (const table of ['audit_log', 'audit_chain']) {
    const guards =
      getEngine(db) === 'postgres'
        ? [`alter table ${table} disable trigger ${table}_append_only`]
        : [`drop trigger if exists ${table}_no_update`, `drop trigger if exists ${table}_no_delete`]
    for (const text of guards) await sql.raw(text).execute(db)
  }
  for (const text of statements) await sql.raw(text).execute(db)
}

const runVerify = (url: string, ...args: string[]): Promise<CommandResult> =>
  runCommand('audit-verify', { args, env: { DATABASE_URL: url } })

eachEngine((_engine, openDb, openWithUrl) => {
  test('500 rows from ten concurrent writers are each chained once by three chaining jobs', async () => {
    const db = await openDb()
    const stopping = new AbortController()
    const chaining = [1, 2, 3].map(async () => {
      while (!stopping.signal.aborted) {
        await chainAudit({ db, log: quiet }, stopping.signal)
        await sleep(1)
      }
    })
    await Promise.all(Array.from({ length: 10 }, () => write(db, 50)))
    stopping.abort()
    await Promise.all(chaining)
    expect((await verify(db)).messages).toEqual([])
    await chainAudit({ db, log: quiet }, running())
    expect(await verify(db)).toMatchObject({ chained: 500, pending: 0, findings: 0 })
  })

  test('a batch is chained in id order, and the new head is logged', async () => {
    const db = await openDb()
    await write(db, 5)
    const lines: { head?: string }[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as { head?: string }) })
    await chainAudit({ db, log }, running())
    await chainAudit({ db, log }, running())
    const { chained, head } = await verify(db)
    expect(chained).toBe(5)
    expect(lines.map((line) => line.head)).toEqual([head])
    const ids = await db.selectFrom('auditChain').select('auditId').orderBy('seq').execute()
    expect(ids).toEqual(ids.toSorted((a, b) => (a.auditId < b.auditId ? -1 : 1)))
  })

  const change =
    "update audit_log set actor_id = 'other-user' where id = (select audit_id from audit_chain where seq = 4)"
  test.each<[string, string[], RegExp[]]>([
    ['a changed row', [change], [/^Row \S+, link 4 of the chain, has changed since it was chained/]],
    [
      'a row whose time was changed',
      [
        "update audit_log set at = '2020-01-01T00:00:00.000Z' where id = (select audit_id from audit_chain where seq = 4)",
      ],
      [/link 4 of the chain, has changed since it was chained/],
    ],
    [
      'a deleted row',
      ['delete from audit_log where id = (select audit_id from audit_chain where seq = 4)'],
      [/link 4 of the chain, is not in the log/],
    ],
    [
      'a deleted link',
      ['delete from audit_chain where seq = 4'],
      [/^The chain is missing link 4\.$/, /is neither chained nor pending/],
    ],
    [
      'deleted rows with their links',
      [
        'delete from audit_log where id in (select audit_id from audit_chain where seq in (4, 5))',
        'delete from audit_chain where seq in (4, 5)',
      ],
      [/^The chain is missing links 4 to 5\.$/],
    ],
    [
      'a deleted row whose gap was closed',
      [
        'delete from audit_log where id = (select audit_id from audit_chain where seq = 4)',
        'delete from audit_chain where seq = 4',
        'update audit_chain set seq = 4 where seq = 5',
        'update audit_chain set seq = 5 where seq = 6',
      ],
      [/link 4 of the chain, has changed since it was chained/, /^The chain is missing link 6\.$/],
    ],
    [
      'two swapped rows',
      [
        'update audit_chain set seq = 1000 where seq = 4',
        'update audit_chain set seq = 4 where seq = 5',
        'update audit_chain set seq = 5 where seq = 1000',
      ],
      [
        /link 4 .* has changed since it was chained/,
        /link 5 .* has changed since it was chained/,
        /link 6 .* has changed since it was chained/,
      ],
    ],
    [
      'a row inserted into the log but kept out of the chain',
      [
        "insert into audit_log (id, subject_id, action, request_id, at) select '0', 'x', action, 'x', at from audit_log limit 1",
        "delete from audit_pending where audit_id = '0'",
      ],
      [/^Row 0 of the log is neither chained nor pending/],
    ],
    [
      'a row queued to be chained twice',
      ['insert into audit_pending select audit_id from audit_chain where seq = 2'],
      [/link 2 of the chain, is pending again/],
    ],
  ])('%s is found, and nothing else', async (_what, statements, sentences) => {
    const db = await openDb()
    await write(db, 9)
    await chainAudit({ db, log: quiet }, running())
    expect(await verify(db)).toMatchObject({ chained: 9, findings: 0 })
    await tamper(db, ...statements)
    const { messages, findings } = await verify(db)
    expect(findings).toBe(sentences.length)
    for (const [i, sentence] of sentences.entries()) expect(messages[i]).toMatch(sentence)
    // Rows written afterward are still chained.
    await write(db, 1)
    await chainAudit({ db, log: quiet }, running())
    expect((await verify(db)).findings).toBe(sentences.length)
  })

  test('a row deleted before it was chained is found and does not block later rows', async () => {
    const db = await openDb()
    await write(db, 3)
    await tamper(db, 'delete from audit_log where id = (select min(id) from audit_log)')
    await chainAudit({ db, log: quiet }, running())
    expect(await verify(db)).toMatchObject({
      chained: 2,
      pending: 1,
      messages: [expect.stringMatching(/^Row \S+ is pending and is not in the log\.$/)],
    })
  })

  test('a saved head detects that the newest rows and links were cut off', async () => {
    const db = await openDb()
    await write(db, 9)
    await chainAudit({ db, log: quiet }, running())
    const { head } = await verify(db)
    expect(await verify(db, head ?? '')).toMatchObject({ findings: 0 })
    await tamper(
      db,
      'delete from audit_log where id in (select audit_id from audit_chain where seq > 6)',
      'delete from audit_chain where seq > 6',
    )
    expect(await verify(db)).toMatchObject({ findings: 0 })
    expect(await verify(db, head ?? '')).toMatchObject({
      messages: ['The chain ends before link 9, which it used to contain.'],
    })
    await write(db, 3)
    await chainAudit({ db, log: quiet }, running())
    expect(await verify(db, head ?? '')).toMatchObject({
      messages: ['Link 9 of the chain does not match the saved head.'],
    })
  })

  test(
    'killed chaining processes leave a chain that the next one continues',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await openWithUrl()
      await Promise.all(Array.from({ length: 10 }, () => write(db, 60)))
      for (let round = 0; round < 2; round++) {
        const processes = [1, 2].map(() => startCommand('keep-chaining', { env: { DATABASE_URL: url } }))
        await Promise.race(processes.map(({ child }) => once(child.stdout, 'data')))
        await sleep(20 * Math.random())
        for (const { child } of processes) child.kill('SIGKILL')
        const ends = await Promise.all(processes.map(({ ended }) => ended))
        for (const { signal, err } of ends) expect([signal, err]).toEqual(['SIGKILL', ''])
        expect((await verify(db)).messages).toEqual([])
      }
      const { chained, pending } = await verify(db)
      expect(chained).toBeGreaterThan(0)
      expect(pending).toBeGreaterThan(0)
      await chainAudit({ db, log: quiet }, running())
      expect(await verify(db)).toMatchObject({ chained: 600, pending: 0, findings: 0 })
    },
  )

  test('audit:verify runs beside writers and exits 1 on a finding', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    await write(db, 20)
    await chainAudit({ db, log: quiet }, running())
    const { head } = await verify(db)
    const stopping = new AbortController()
    const writing = (async () => {
      while (!stopping.signal.aborted) {
        await write(db, 1)
        await chainAudit({ db, log: quiet }, running())
      }
    })()
    const intact = await runVerify(url, '--head', head ?? '')
    stopping.abort()
    await writing
    expect(intact).toMatchObject({ code: 0, err: '' })
    expect(intact.out).toMatch(/^chained=\d+ waiting=[01] findings=0 head=\d+:[\w-]{43}\n$/)
    await tamper(db, change)
    const broken = await runVerify(url)
    expect(broken.code).toBe(1)
    expect(broken.err).toMatch(/^Row \S+, link 4 of the chain, has changed since it was chained\.\n$/)
    expect(broken.out).toMatch(/^chained=\d+ waiting=0 findings=1 head=/)
    expect(await runVerify(url, '--head', 'x')).toMatchObject({ code: 1, out: '', err: /^--head must be/ })
  })
})

test('audit:verify rejects a missing database and does not create it', async () => {
  const { code, err } = await runVerify('sqlite:/nowhere/shop.sqlite')
  expect(code).toBe(1)
  expect(err).toBe('There is no database at /nowhere/shop.sqlite.\n')
})
