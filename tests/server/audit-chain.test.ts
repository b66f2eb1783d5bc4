import { listChain } from '#db/audit/audit.ts'
import { getEngine, type Db } from '#db/engine/client.ts'
import { findEmail } from '#server/accounts/find-email.ts'
import { unkeyedHash } from '#server/audit/chain-hash.ts'
import { headFile } from '#server/audit/head-file.ts'
import { openHeadStore } from '#server/audit/open-head-store.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { parseHead } from '#server/audit/saved-heads.ts'
import { verifyAudit, type AuditSummary } from '#server/audit/verify-audit.ts'
import { inTransaction } from '#server/context.ts'
import { parseKeyRing, type ShopKeys } from '#server/crypto/key-ring.ts'
import { rotateKeys } from '#server/crypto/rotate-keys.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { readEnv } from '#server/env.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { checkAudit } from '#server/jobs/check-audit.ts'
import { createHeadJob } from '#server/jobs/save-head.ts'
import { createLog } from '#server/log.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { runCommand, startCommand, type CommandResult } from '#tests/support/commands.ts'
import { jobParts, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'

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

async function verify(
  db: Db,
  knownHead = '',
  keys = testKeys,
): Promise<AuditSummary & { messages: string[] }> {
  const messages: string[] = []
  const known = parseHead(knownHead)
  const summary = await verifyAudit(db, {
    keys,
    savedHeads: known && [known],
    onFinding: (sentence) => void messages.push(sentence),
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

const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv

/** The keys that a command opens in this database. */
const openKeys = (db: Db, encryptionKeys = parseKeyRing(ENCRYPTION_KEYS)): Promise<ShopKeys> =>
  openShopKeys(db, { databaseUrl: 'sqlite::memory:', encryptionKeys, sessionSecret: SESSION_SECRET })

const runVerify = (
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> =>
  runCommand('audit-verify', {
    args,
    env: { DATABASE_URL: url, ENCRYPTION_KEYS, SESSION_SECRET, ...env },
  })

/** Makes the first links look like those of a version of the shop before links had a key. */
async function dropKeys(db: Db, count: number): Promise<void> {
  await tamper(db)
  let previous = ''
  for (const { seq, row } of await listChain(db, { after: 0, limit: count })) {
    if (!row) throw new Error(`Link ${seq} has no row.`)
    const hash = unkeyedHash({ previous, row })
    await db.updateTable('auditChain').set({ hash, keyed: false }).where('seq', '=', seq).execute()
    previous = hash
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-heads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

eachEngine((_engine, openDb, openWithUrl) => {
  test('500 rows from ten concurrent writers are each chained once by three chaining jobs', async () => {
    const db = await openDb()
    const stopping = new AbortController()
    const chaining = [1, 2, 3].map(async () => {
      while (!stopping.signal.aborted) {
        await chainAudit({ db, log: quiet, keys: testKeys }, stopping.signal)
        await sleep(1)
      }
    })
    await Promise.all(Array.from({ length: 10 }, () => write(db, 50)))
    stopping.abort()
    await Promise.all(chaining)
    expect((await verify(db)).messages).toEqual([])
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
    expect(await verify(db)).toMatchObject({ chained: 500, pending: 0, findings: 0 })
  })

  test('a batch is chained in id order, and the new head is logged', async () => {
    const db = await openDb()
    await write(db, 5)
    const lines: { head?: string }[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as { head?: string }) })
    await chainAudit({ db, log, keys: testKeys }, running())
    await chainAudit({ db, log, keys: testKeys }, running())
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
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
    expect(await verify(db)).toMatchObject({ chained: 9, findings: 0 })
    await tamper(db, ...statements)
    const { messages, findings } = await verify(db)
    expect(findings).toBe(sentences.length)
    for (const [i, sentence] of sentences.entries()) expect(messages[i]).toMatch(sentence)
    // Rows written afterward are still chained.
    await write(db, 1)
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
    expect((await verify(db)).findings).toBe(sentences.length)
  })

  test('a row deleted before it was chained is found and does not block later rows', async () => {
    const db = await openDb()
    await write(db, 3)
    await tamper(db, 'delete from audit_log where id = (select min(id) from audit_log)')
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
    expect(await verify(db)).toMatchObject({
      chained: 2,
      pending: 1,
      messages: [expect.stringMatching(/^Row \S+ is pending and is not in the log\.$/)],
    })
  })

  test('a saved head detects that the newest rows and links were cut off', async () => {
    const db = await openDb()
    await write(db, 9)
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
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
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
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
      // Until the server has ended a killed process's transaction, its lock keeps others out.
      await vi.waitFor(
        async () => {
          await chainAudit({ db, log: quiet, keys: testKeys }, running())
          expect((await verify(db)).pending).toBe(0)
        },
        { timeout: 30_000 },
      )
      expect(await verify(db)).toMatchObject({ chained: 600, pending: 0, findings: 0 })
    },
  )

  test('audit:verify runs beside writers and exits 1 on a finding', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    const keys = await openKeys(db)
    const folder = newFolder()
    await write(db, 20)
    await chainAudit({ db, log: quiet, keys }, running())
    const { head } = await verify(db, '', keys)
    const store = headFile(join(folder, 'heads'))
    await store.save(parseHead(head ?? '') ?? { seq: 0, hash: '' }, testDay, running())
    const stopping = new AbortController()
    const writing = (async () => {
      while (!stopping.signal.aborted) {
        await write(db, 1)
        await chainAudit({ db, log: quiet, keys }, running())
      }
    })()
    const auditHeads = { AUDIT_HEADS: `file:${join(folder, 'heads')}` }
    const intact = await runVerify(url, ['--head', head ?? ''], auditHeads)
    stopping.abort()
    await writing
    expect(intact).toMatchObject({ code: 0, err: '' })
    expect(intact.out).toMatch(
      /^saved heads compared: 2\nchained=\d+ waiting=[01] findings=0 head=\d+:[\w-]{43}\n$/,
    )
    await tamper(db, change, 'delete from audit_chain where seq >= 20')
    const broken = await runVerify(url, [], auditHeads)
    expect(broken.code).toBe(1)
    expect(broken.err).toMatch(/^Row \S+, link 4 of the chain, has changed since it was chained\.\n/)
    expect(broken.err).toContain('The chain ends before link 20, which it used to contain.\n')
    expect(broken.out).toMatch(/\nchained=\d+ waiting=0 findings=\d+ head=/)
    expect(await runVerify(url, ['--head', 'x'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^--head must be/),
    })
  })

  test('links without a key verify only before the first with one, also after a rotation', async () => {
    const db = await openDb()
    const keys = await openKeys(db)
    await write(db, 6)
    await chainAudit({ db, log: quiet, keys }, running())
    await dropKeys(db, 6)
    await write(db, 3)
    await chainAudit({ db, log: quiet, keys }, running())
    expect(await verify(db, '', keys)).toMatchObject({ chained: 9, findings: 0 })
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    await rotateKeys(db, parseKeyRing(`${fresh},${ENCRYPTION_KEYS}`))
    const rotated = await openKeys(db, parseKeyRing(fresh))
    await write(db, 1)
    await chainAudit({ db, log: quiet, keys: rotated }, running())
    expect(await verify(db, '', rotated)).toMatchObject({ chained: 10, findings: 0 })

    // An owner of the database changes a row and writes the links again, without the key.
    const { head } = await verify(db, '', rotated)
    await tamper(db, change)
    await dropKeys(db, 9)
    expect((await verify(db, '', rotated)).messages).toEqual([
      expect.stringMatching(/link 10 of the chain, has changed/),
    ])
    await dropKeys(db, 10)
    expect((await verify(db, head ?? '', rotated)).messages).toEqual([
      'Link 10 of the chain does not match the saved head.',
    ])
    await write(db, 1)
    await chainAudit({ db, log: quiet, keys: rotated }, running())
    await tamper(db, 'update audit_chain set keyed = true where seq <= 5')
    const { messages } = await verify(db, '', rotated)
    expect(messages).toHaveLength(10)
    expect(messages.at(-1)).toMatch(/link 10 of the chain, has no key; link 1 has one\.$/)
  })

  test('heads are saved outside, and the daily check finds a chain that was cut off', async () => {
    const db = await openDb()
    const admin = await makeUser(db, { isAdmin: true })
    const path = join(newFolder(), 'new', 'heads')
    const store = headFile(path)
    let now = testDay
    const log: Record<string, unknown>[] = []
    const ctx = {
      db,
      keys: testKeys,
      now: () => now,
      log: createLog('info', { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
    }
    const savedLines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)
    const addRows = async () => {
      await write(db, 3)
      await chainAudit({ ...ctx, log: quiet }, running())
    }
    const saveHead = createHeadJob(ctx, store)
    await addRows()
    await saveHead(running())
    await addRows()
    await saveHead(running())
    expect(savedLines()).toHaveLength(1)
    now = new Date(testDay.getTime() + 5 * 60_000)
    await saveHead(running())
    await saveHead(running())
    expect(savedLines()).toHaveLength(2)
    expect(savedLines()[1]).toMatch(/^2\S+Z \d+:[\w-]{43}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // A full disk cut a line off. The next one is on a line of its own.
    appendFileSync(path, '2026-01-01T00:00:00.000Z 1')
    await addRows()
    now = new Date(testDay.getTime() + 10 * 60_000)
    await saveHead(running())
    expect(savedLines()).toHaveLength(4)

    // Several processes check at once; one does the work.
    await Promise.all([1, 2, 3].map(() => checkAudit(ctx, jobParts(db), store)))
    expect(log).toMatchObject([{ level: 'info', msg: 'audit log verified' }])
    await tamper(
      db,
      'delete from audit_log where id in (select audit_id from audit_chain where seq > 6)',
      'delete from audit_chain where seq > 6',
    )
    now = new Date(now.getTime() + 23 * 3600_000)
    await checkAudit(ctx, jobParts(db), store)
    expect(log).toHaveLength(1)
    now = new Date(now.getTime() + 3600_000)
    await checkAudit(ctx, jobParts(db), store)
    expect(log.at(-1)).toMatchObject({
      level: 'error',
      msg: 'audit log does not verify',
      findings: 1,
      sentences: ['The chain ends before link 7, which it used to contain. Of the saved heads, 2 are wrong.'],
    })
    const mails = await listOutbox(testContext(db))
    expect(mails.map(({ subject }) => subject)).toEqual(['The audit log of the shop was changed'])
    expect(mails[0]?.to.address).toBe(await findEmail(testContext(db), admin))
    expect(await db.selectFrom('auditChecks').select('findings').execute()).toEqual([{ findings: 1 }])
  })

  test('audit:verify replaces the result of the daily check, which an alert reads', async () => {
    const { db, url } = await openWithUrl()
    const keys = await openKeys(db)
    await write(db, 5)
    await chainAudit({ db, log: quiet, keys }, running())
    const readResult = async () => (await getShopGauges(db, { now: testDay, version: '1' })).audit.findings
    const changeBack = change.replace("'other-user'", 'null')
    await tamper(db, change)
    expect((await runVerify(url, [])).code).toBe(1)
    // VerificationFailed reports it until the first daily check.
    expect(await readResult()).toBeNull()
    await checkAudit({ db, keys, log: quiet, now: () => testDay }, jobParts(db), null)
    expect(await readResult()).toBe(1)
    await tamper(db, changeBack)
    expect((await runVerify(url, [])).code).toBe(0)
    expect(await readResult()).toBe(0)
    await tamper(db, change)
    expect((await runVerify(url, [])).code).toBe(1)
    expect(await readResult()).toBe(1)
  })

  test('heads are posted to an address, and a failure is logged and retried', async () => {
    const db = await openDb()
    const bodies: unknown[] = []
    let status = 500
    const server = createServer((request, response) => {
      text(request).then(
        (body) => {
          bodies.push(JSON.parse(body))
          response.writeHead(status).end()
        },
        () => response.destroy(),
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const env = readEnv('dev', { AUDIT_HEADS: `http://127.0.0.1:${port}/heads` })
    const store = openHeadStore(env)
    if (!store) throw new Error('There is no store.')
    const log: Record<string, unknown>[] = []
    const saveHead = createHeadJob(
      {
        db,
        now: () => testDay,
        log: createLog('info', {
          write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
        }),
      },
      store,
    )
    await saveHead(running())
    expect(bodies).toEqual([])
    await write(db, 2)
    await chainAudit({ db, log: quiet, keys: testKeys }, running())
    await expect(saveHead(running())).rejects.toThrow('500')
    expect(log).toMatchObject([
      { level: 'error', msg: 'audit head not saved', head: expect.stringMatching(/^2:/) },
    ])
    status = 204
    await saveHead(running())
    await saveHead(running())
    const { head } = await verify(db)
    const posted = { shop: 'http://localhost:3000', head, at: testDay.toISOString() }
    expect(bodies).toEqual([posted, posted])
    expect(log).toHaveLength(1)
  })
})

test('audit:verify rejects a missing database and does not create it', async () => {
  const { code, err } = await runVerify('sqlite:/nowhere/shop.sqlite', [])
  expect(code).toBe(1)
  expect(err).toBe('There is no database at /nowhere/shop.sqlite.\n')
})

test.each([
  'http://heads.example/',
  'https://user:password@heads.example/',
  'file:',
  'ftp://heads.example',
  'heads',
])('AUDIT_HEADS=%s is refused', (text) => {
  expect(() => readEnv('production', { ...productionEnv, AUDIT_HEADS: text })).toThrow(
    /^AUDIT_HEADS: must be/,
  )
})
