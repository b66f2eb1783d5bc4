import { bulkTransaction, pipelineBulk, repeatBulk } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'

const stepsAtOnce = { sqlite: 1, postgres: 2 }

eachEngine((engine, openDb) => {
  test('each step runs once, and the database has as many at once as it can use', async () => {
    const db = await openDb()
    const steps = ['a', 'b', 'c', 'd', 'e']
    const taken: string[] = []
    let [running, most] = [0, 0]
    await repeatBulk(db, async () => {
      const step = steps.shift()
      taken.push(...(step ? [step] : []))
      most = Math.max(most, ++running)
      await endOfTurn()
      running--
      return step !== undefined
    })
    expect(taken).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(most).toBe(stepsAtOnce[engine])
  })

  test('a transaction runs one step at a time', async () => {
    const db = await openDb()
    let [running, most, left] = [0, 0, 3]
    await db.transaction().execute((tx) =>
      repeatBulk(tx, async () => {
        most = Math.max(most, ++running)
        await endOfTurn()
        running--
        return --left > 0
      }),
    )
    expect(most).toBe(1)
  })

  test('no step begins after one that failed, and the caller learns of it when all have ended', async () => {
    const db = await openDb()
    let [started, ended] = [0, 0]
    const repeated = repeatBulk(db, async () => {
      const place = ++started
      await endOfTurn()
      await Promise.all(place === 1 ? [Promise.reject(new Error('The disk is full.'))] : [endOfTurn()])
      ended++
      return true
    })
    await expect(repeated).rejects.toThrow('The disk is full.')
    expect(started).toBe(stepsAtOnce[engine])
    expect(ended).toBe(stepsAtOnce[engine] - 1)
  })
})

const batchOrder = { sqlite: ['1b', '2a', '2b'], postgres: ['2a', '1b', '2b'] }

eachEngine((engine, openDb) => {
  test('the second step of a batch runs beside the first one of the next, where there are two writers', async () => {
    const db = await openDb()
    const log: string[] = []
    let begin = (): void => {}
    const next = new Promise<void>((resolve) => (begin = resolve))
    const waits = { sqlite: undefined, postgres: next }
    await pipelineBulk(db, async (run) => {
      await run(async () => async () => {
        await waits[engine]
        log.push('1b')
      })
      await run(async () => {
        log.push('2a')
        begin()
        return async () => void log.push('2b')
      })
      await run(async () => null)
    })
    expect(log).toEqual(batchOrder[engine])
  })

  test('a step that fails ends the work, once the step beside it has ended', async () => {
    const db = await openDb()
    const log: string[] = []
    const failed = pipelineBulk(db, async (run) => {
      await run(async () => async () => {
        await endOfTurn()
        log.push('1b')
      })
      await run(() => Promise.reject(new Error('The disk is full.')))
    })
    await expect(failed).rejects.toThrow('The disk is full.')
    expect(log).toEqual(['1b'])

    const alsoFailed = pipelineBulk(db, async (run) => {
      await run(async () => () => Promise.reject(new Error('The disk is full.')))
      await run(async () => null)
      await run(async () => async () => void log.push('3b'))
    })
    await expect(alsoFailed).rejects.toThrow('The disk is full.')
    expect(log).toEqual(['1b'])
  })
})

onEngine('postgres', (_, openWithUrl) => {
  const setting = async (db: Db) => (await sql`show synchronous_commit`.execute(db)).rows

  test('only the commits of bulk transactions do not wait for the disk', async () => {
    const { db: first, url, openAgain } = await openWithUrl()
    // The server of the tests waits for no commit.
    const name = new URL(url).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set synchronous_commit = 'on'`.execute(first)
    const db = openAgain()
    expect(await bulkTransaction(db, setting)).toEqual([{ synchronousCommit: 'off' }])
    expect(await db.transaction().execute(setting)).toEqual([{ synchronousCommit: 'on' }])
  })
})
