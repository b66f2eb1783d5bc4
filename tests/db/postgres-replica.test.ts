import { openReplica, type Replica } from '#db/engine/replica.ts'
import type { ReplicaState } from '#domain/replica.ts'
import { freshDatabase, openTestDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { freePort } from '#tests/support/free-port.ts'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

async function openBeside(replicaUrl: (primaryUrl: string) => string) {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const primary = openTestDatabase(url)
  const states: ReplicaState[] = []
  const replica: Replica = openReplica(replicaUrl(url), primary, {
    onChange: (state) => void states.push(state),
    onIdleError: () => {},
  })
  onTestFinished(async () => {
    await replica.close()
    await primary.destroy()
    await remove()
  })
  return { replica, states }
}

const selectOne = async ({ reads }: Replica) =>
  (await sql<{ one: number }>`select 1 as one`.execute(reads)).rows

// Only Postgres has replicas. A real one is in the fault `replica`.
test('without a server, the primary answers at once', async () => {
  const port = await freePort()
  const { replica, states } = await openBeside(() => `postgres://postgres@127.0.0.1:${port}/shop`)
  expect(await selectOne(replica)).toEqual([{ one: 1 }])
  await vi.waitFor(() => expect(states).toHaveLength(1), 60_000)
  expect(replica.getState()).toEqual({ problem: 'lost', lagSeconds: null, fallbacks: 0 })
})

test('a server that is no replica of the database is not read', async () => {
  const { replica, states } = await openBeside((primary) => primary)
  await vi.waitFor(() => expect(states.at(-1)?.problem).toBe('not a replica of this database'), 60_000)
  expect(await selectOne(replica)).toEqual([{ one: 1 }])
})

test('the handle refuses writes and transactions', async () => {
  const { replica } = await openBeside((primary) => primary)
  const write = replica.reads.deleteFrom('sessions').execute()
  await expect(write).rejects.toThrow('Only reads')
  const transaction = replica.reads.transaction().execute(async () => {})
  await expect(transaction).rejects.toThrow('Only reads')
})
