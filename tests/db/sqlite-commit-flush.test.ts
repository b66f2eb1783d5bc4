import { groupCommit } from '#db/engine/group-commit.ts'
import { CompiledQuery, type QueryResult } from 'kysely'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'

/** A writer that notes its statements, and whose flushes end when the test says so. */
function makeWriter() {
  const statements: string[] = []
  const flushes: { succeed: () => void; fail: (error: Error) => void }[] = []
  const writer = {
    execute: <R>({ sql }: CompiledQuery): QueryResult<R> => {
      statements.push(sql)
      return { rows: [] }
    },
    isInTransaction: () => false,
    flush: () =>
      new Promise<void>((succeed, fail) => {
        flushes.push({ succeed, fail })
      }),
    close: () => {},
  }
  return { statements, flushes, ...groupCommit(writer, async (attempt) => attempt()) }
}

const write = (sql: string) => CompiledQuery.raw(sql)
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
