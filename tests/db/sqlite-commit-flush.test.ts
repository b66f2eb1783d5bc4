import { whenDurable } from '#db/engine/client.ts'
import { groupCommit } from '#db/engine/group-commit.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { CompiledQuery, sql, type QueryResult } from 'kysely'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'

/** A writer that notes its statements, and whose flushes end when the test says so. */
function makeWriter() {
  const statements: string[] = []
  const flushes: { succeed: () => void; fail: (error: Error) => void }[] = []
  const log: { version: number; unreadable?: Error } = { version: 1 }
  const writer = {
    version: () => {
      if (log.unreadable) throw log.unreadable
      return log.version
    },
    execute: <R>({ sql }: CompiledQuery): QueryResult<R> => {
      statements.push(sql)
      log.version += sql === 'commit' ? 1 : 0
      return { rows: [] }
    },
    isInTransaction: () => false,
    flush: () =>
      new Promise<void>((succeed, fail) => {
        flushes.push({ succeed, fail })
      }),
    close: () => {},
  }
  return { statements, flushes, log, ...groupCommit(writer, async (attempt) => attempt()) }
}

const write = (sql: string) => CompiledQuery.raw(sql)
const openLogs = (file: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => attemptReadlink(`/proc/self/fd/${fd}`) === `${file}-wal`).length
/** Until commits, and what follows them, have run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await endOfTurn()
}

test('a commit resolves once it is flushed, and the next transaction runs during the flush', async () => {
  const { statements, flushes, write: run, whenDurable } = makeWriter()
  const done: string[] = []
  const first = run(write('first')).then(() => done.push('first'))
  await settle()
  const second = run(write('second')).then(() => done.push('second'))
  const read = whenDurable().then(() => done.push('a response after the first'))
  await settle()
  expect(statements).toEqual(['begin immediate', 'first', 'commit', 'begin immediate', 'second', 'commit'])
  expect(done).toEqual([])
  flushes[0]?.succeed()
  await Promise.all([first, read])
  expect(done.toSorted()).toEqual(['a response after the first', 'first'])
  flushes[1]?.succeed()
  await second
})

test('a transaction that is rolled back waits for the flush of what it may have read', async () => {
  const { flushes, write: run, begin } = makeWriter()
  const done: string[] = []
  const committed = run(write('first')).then(() => done.push('committed'))
  await settle()
  const turn = await begin()
  const rolledBack = turn.rollback().then(() => done.push('rolled back'))
  await settle()
  expect(done).toEqual([])
  flushes[0]?.succeed()
  await Promise.all([committed, rolledBack])
  expect(done.toSorted()).toEqual(['committed', 'rolled back'])
})

test('while the version cannot be read, commits and responses wait for a flush of their own', async () => {
  const { flushes, log, write: run, whenDurable } = makeWriter()
  log.unreadable = new Error('disk I/O error')
  const done: string[] = []
  const written = run(write('first')).then(() => done.push('committed'))
  await settle()
  const read = whenDurable().then(() => done.push('read'))
  await settle()
  expect(done).toEqual([])
  expect(flushes).toHaveLength(2)
  flushes[0]?.succeed()
  await written
  expect(done).toEqual(['committed'])
  flushes[1]?.succeed()
  await read
  expect(done).toEqual(['committed', 'read'])
})

test('after a failed flush, its commits, responses and all later transactions fail', async () => {
  const { statements, flushes, write: run, begin, whenDurable } = makeWriter()
  const failed = run(write('first')).catch((error: unknown) => error)
  await settle()
  flushes[0]?.fail(new Error('no disk'))
  expect(await failed).toMatchObject({ message: 'no disk' })
  await expect(whenDurable()).rejects.toThrow('no disk')
  await expect(begin()).rejects.toThrow('no disk')
  await expect(run(write('second'))).rejects.toThrow('no disk')
  expect(statements).toEqual(['begin immediate', 'first', 'commit'])
})

test('what is committed during a flush that fails fails with it, and so does every later response', async () => {
  const { flushes, write: run, whenDurable, executeAlone } = makeWriter()
  const first = run(write('first'))
  await settle()
  const second = run(write('second'))
  await settle()
  const outcomes = Promise.allSettled([first, second, whenDurable()])
  flushes[0]?.fail(new Error('EIO'))
  await settle()
  // The system reports a failure once.
  for (const { succeed } of flushes) succeed()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect(executeAlone(write('pragma wal_checkpoint'))).rejects.toThrow('EIO')
  await expect(whenDurable()).rejects.toThrow('EIO')
})

test('what another process has committed is flushed before a response, once', async () => {
  const { flushes, log, write: run, whenDurable } = makeWriter()
  const first = run(write('first'))
  await settle()
  const own = whenDurable()
  await settle()
  expect(flushes).toHaveLength(1)
  log.version++
  const other = whenDurable()
  void whenDurable()
  await settle()
  expect(flushes).toHaveLength(2)
  flushes[1]?.succeed()
  await other
  flushes[0]?.succeed()
  await Promise.all([first, own])
})

test('responses that are ready together share a check of the log, which comes after all of them', async () => {
  const { flushes, log, write: run, whenDurable } = makeWriter()
  const first = run(write('first'))
  await settle()
  flushes[0]?.succeed()
  await first
  const done: string[] = []
  const before = whenDurable().then(() => done.push('before'))
  // Another process commits, and the next response has read it.
  log.version++
  const after = whenDurable().then(() => done.push('after'))
  await settle()
  expect([flushes.length, done]).toEqual([2, []])
  flushes[1]?.succeed()
  await Promise.all([before, after])
  expect(done).toEqual(['before', 'after'])
})

test('a response flushes what another handle of the database has committed', async () => {
  const file = join(mkdtempSync(join(inject('templates').folder, 'shared-')), 'shop.sqlite')
  const [writing, reading] = [openTestDatabase(`sqlite:${file}`), openTestDatabase(`sqlite:${file}`)]
  onTestFinished(async () => {
    await writing.destroy()
    await reading.destroy()
  })
  await sql`create table numbers (id integer)`.execute(writing)
  await sql`select * from numbers`.execute(reading)
  // Those of SQLite, of each writer and reader, and the one that flushed.
  expect(openLogs(file)).toBe(5)
  await whenDurable(reading)
  expect(openLogs(file)).toBe(6)
})

test('a write whose commit is pending is saved when the database is closed', async () => {
  const file = join(mkdtempSync(join(inject('templates').folder, 'closed-')), 'shop.sqlite')
  const db = openTestDatabase(`sqlite:${file}`)
  await sql`create table numbers (id integer)`.execute(db)
  const write = sql`insert into numbers values (1)`.execute(db)
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  await Promise.all([db.destroy(), write])
  const again = openTestDatabase(`sqlite:${file}`)
  onTestFinished(() => again.destroy())
  expect((await sql`select id from numbers`.execute(again)).rows).toEqual([{ id: 1 }])
})

test('a response after its database is closed opens no log', async () => {
  const file = join(mkdtempSync(join(inject('templates').folder, 'late-')), 'shop.sqlite')
  // The log is there as long as another handle is open.
  const [closed, open] = [openTestDatabase(`sqlite:${file}`), openTestDatabase(`sqlite:${file}`)]
  onTestFinished(() => open.destroy())
  await sql`create table numbers (id integer)`.execute(closed)
  await sql`insert into numbers values (1)`.execute(open)
  const logs = openLogs(file)
  await closed.destroy()
  const left = openLogs(file)
  expect(left).toBeLessThan(logs)
  await whenDurable(closed)
  expect(openLogs(file)).toBe(left)
})

test('a response that read nothing opens no log, which closing an unused database would leave open', async () => {
  const file = join(mkdtempSync(join(inject('templates').folder, 'unused-')), 'shop.sqlite')
  const [used, unused] = [openTestDatabase(`sqlite:${file}`), openTestDatabase(`sqlite:${file}`)]
  onTestFinished(() => used.destroy())
  await sql`create table numbers (id integer)`.execute(used)
  const logs = openLogs(file)
  await whenDurable(unused)
  expect(openLogs(file)).toBe(logs)
  await unused.destroy()
})

test('the log of a database behind a symbolic link is flushed', async () => {
  const folder = mkdtempSync(join(inject('templates').folder, 'link-'))
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real', 'shop.sqlite'), '')
  symlinkSync(join(folder, 'real', 'shop.sqlite'), join(folder, 'link.sqlite'))
  const db = openTestDatabase(`sqlite:${join(folder, 'link.sqlite')}`)
  onTestFinished(() => db.destroy())
  await sql`create table numbers (id integer)`.execute(db)
  // SQLite's own of the writer and the reader, and the one that flushes.
  await sql`select * from numbers`.execute(db)
  expect(openLogs(join(folder, 'real', 'shop.sqlite'))).toBe(3)
})

/** A descriptor of the list may be closed by now. */
function attemptReadlink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
