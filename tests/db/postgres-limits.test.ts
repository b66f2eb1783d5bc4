import { openDatabase, type Db } from '#db/engine/client.ts'
import { jobLimits, requestLimits, type StatementLimits } from '#db/engine/statement-limits.ts'
import { toAppError } from '#server/errors.ts'
import { isReady } from '#server/readiness.ts'
import { testContext } from '#tests/support/context.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { startTcpProxy } from '#tests/support/tcp-proxy.ts'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'

// Only Postgres has these limits: SQLite runs in the shop's own process.
const limits: StatementLimits = {
  statementMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 60_000,
  answerMs: 60_000,
}

test('a server that hangs fails its statements in time, and is used again when it answers', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const proxied = new URL(url)
  const proxy = await startTcpProxy({ host: proxied.hostname, port: Number(proxied.port) }, { slowMs: 0 })
  proxied.port = String(proxy.port)
  const db = openDatabase(proxied.href, () => {}, { limits: { ...limits, answerMs: 100 } })
  const selectOne = (of: Db) => sql<{ one: number }>`select 1 as one`.execute(of)
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'answered',
      (error: unknown) => toAppError(error).code,
    )
  try {
    await selectOne(db)
    await proxy.setMode('hang')
    const both = [selectOne(db), db.transaction().execute(selectOne)]
    expect(await Promise.all(both.map(codeOf))).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])
    await proxy.setMode('pass')
    expect((await selectOne(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await proxy.close()
    await remove()
  }
})

test('a machine without a route or a name is an unavailable database, not a fault of the shop', () => {
  const codes = ['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', 'ETIMEDOUT']
  const errors = codes.map((code) => toAppError(Object.assign(new Error('connect'), { code })).code)
  expect(errors).toEqual(codes.map(() => 'UNAVAILABLE'))
})

test('a job outlasts the limit while the server works on it, and fails when its server is gone', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const proxied = new URL(url)
  const proxy = await startTcpProxy({ host: proxied.hostname, port: Number(proxied.port) }, { slowMs: 0 })
  proxied.port = String(proxy.port)
  const openJobs = (of: string): Db =>
    openDatabase(of, () => {}, { limits: { ...limits, answerMs: 100, checksServer: true } })
  const [near, far] = [openJobs(url), openJobs(proxied.href)]
  let attempts = 0
  try {
    await sql`create table things (id integer)`.execute(near)
    const long = sql`select 1 from pg_sleep(3)`.execute(near)
    const lost = far.transaction().execute(async (tx) => {
      attempts++
      await sql`insert into things values (1)`.execute(tx)
      await proxy.setMode('silent')
    })
    // The server has committed, which the shop cannot know: it must not run it again by itself.
    expect(toAppError(await lost.catch((error: unknown) => error)).code).toBe('UNAVAILABLE')
    expect(attempts).toBe(1)
    expect((await sql`select * from things`.execute(far)).rows).toEqual([{ id: 1 }])
    expect((await long).rows).toHaveLength(1)
  } finally {
    await Promise.all([near.destroy(), far.destroy()])
    await proxy.close()
    await remove()
  }
})

test('the server ends a statement, a wait for a lock and an idle transaction that take too long', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const openWith = (limit: Partial<typeof limits>): Db =>
    openDatabase(url, () => {}, { limits: { ...limits, ...limit } })
  const [slow, locked] = [openWith({ statementMs: 100 }), openWith({ lockMs: 100 })]
  const idle = openWith({ idleInTransactionMs: 100 })
  const db = openDatabase(url, () => {})
  try {
    const error = await sql`select pg_sleep(60)`.execute(slow).catch((error: unknown) => error)
    expect(toAppError(error).code).toBe('UNAVAILABLE')
    await db.transaction().execute(async (tx) => {
      await sql`lock table products`.execute(tx)
      const error = await sql`select 1 from products`.execute(locked).catch((error: unknown) => error)
      expect(toAppError(error).code).toBe('UNAVAILABLE')
    })
    const ended = idle.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      const isAlive = sql`select 1 from pg_stat_activity where pid = ${rows[0]?.pid}`
      await vi.waitFor(async () => expect((await isAlive.execute(db)).rows).toEqual([]), { timeout: 60_000 })
      await sql`select 1`.execute(tx)
    })
    const failure = await ended.catch((error: unknown) => error)
    expect(toAppError(failure).code).toBe('UNAVAILABLE')
  } finally {
    await Promise.all([slow, locked, idle, db].map((each) => each.destroy()))
    await remove()
  }
})

test('jobs and commands have no statement limit, also where the database sets one for a pooler', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const owner = openDatabase(url, () => {})
  await sql`alter database ${sql.id(new URL(url).pathname.slice(1))} set statement_timeout = 50`.execute(
    owner,
  )
  const pooledUrl = `${url}?pooler=transaction`
  const handles = {
    request: openDatabase(pooledUrl, () => {}, { limits: requestLimits }),
    job: openDatabase(pooledUrl, () => {}, { limits: jobLimits }),
    command: openDatabase(pooledUrl, () => {}),
    direct: openDatabase(url, () => {}),
  }
  const readLimit = async (db: Db): Promise<string | undefined> => {
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit,
      pg_sleep(0.1)`.execute(db)
    return rows[0]?.limit
  }
  try {
    for (const db of [handles.job, handles.command, handles.direct]) {
      // A failed statement leaves no open transaction behind.
      await expect(sql`select * from nowhere`.execute(db)).rejects.toMatchObject({ code: '42P01' })
      expect(await readLimit(db)).toBe('0')
      expect(await db.transaction().execute(readLimit)).toBe('0')
    }
    // The server connection itself keeps the limit of requests.
    const { rows } = await sql<{ limit: string }>`select reset_val as limit from pg_settings
      where name = 'statement_timeout'`.execute(handles.command)
    expect(rows).toEqual([{ limit: '50' }])
    const slow = await readLimit(handles.request).catch((error: unknown) => error)
    expect(toAppError(slow).code).toBe('UNAVAILABLE')
  } finally {
    await Promise.all([owner, ...Object.values(handles)].map((each) => each.destroy()))
    await remove()
  }
})

test('a shop whose database hangs is not ready, and is ready again when it answers', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const proxied = new URL(url)
  const proxy = await startTcpProxy({ host: proxied.hostname, port: Number(proxied.port) }, { slowMs: 0 })
  proxied.port = String(proxy.port)
  const db = openDatabase(proxied.href, () => {}, { limits: requestLimits })
  try {
    expect(await isReady(testContext(db))).toBe(true)
    await proxy.setMode('hang')
    expect(await isReady(testContext(db))).toBe(false)
    await proxy.setMode('pass')
    await vi.waitFor(async () => expect(await isReady(testContext(db))).toBe(true), { timeout: 60_000 })
  } finally {
    await db.destroy()
    await proxy.close()
    await remove()
  }
})
