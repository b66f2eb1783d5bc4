import { openDatabase } from '#db/engine/client.ts'
import { openReplica, type Replica } from '#db/engine/replica.ts'
import type { ReplicaProblem } from '#domain/replica.ts'
import { withOwnPostgres } from '#tests/faults/own-postgres.ts'
import type { CrashingPostgres, CrashingPostgresOptions } from '#tests/support/postgres.ts'
import { makeTestFolder } from '#tests/support/test-folder.ts'
import { sql } from 'kysely'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'

const limitMs = 60_000

/** Runs the work with a server whose data is in memory. */
async function withServer<T>(
  work: (server: CrashingPostgres) => Promise<T>,
  options: CrashingPostgresOptions = {},
): Promise<T> {
  const folder = makeTestFolder('replica')
  chmodSync(folder, 0o755)
  try {
    return await withOwnPostgres(folder, work, options)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** A table that a role without rights, as the shop's is, can read. */
async function createNotes({ url }: CrashingPostgres): Promise<void> {
  await query(url, 'create role shop login')
  await query(url, 'create table notes (note text not null, padding text)')
  await query(url, 'grant select on notes to shop')
}

const writeNote = ({ url }: CrashingPostgres, note: string) =>
  query(url, `insert into notes select '${note}', repeat(md5(n::text), 9) from generate_series(1, 9999) n`)

const asShop = ({ url }: CrashingPostgres): string => url.replace('//postgres@', '//shop@')

/** Runs the work with the reads of a new process. `seen` has the problems that it reported. */
async function withReads(
  primary: CrashingPostgres,
  copy: CrashingPostgres,
  work: (replica: Replica, seen: (ReplicaProblem | null)[]) => Promise<void>,
): Promise<void> {
  // The servers end its connections when they stop.
  const db = openDatabase(asShop(primary), () => {})
  const seen: (ReplicaProblem | null)[] = []
  const options = { onChange: ({ problem }: { problem: ReplicaProblem | null }) => void seen.push(problem) }
  const replica = openReplica(asShop(copy), db, { ...options, onIdleError: () => {} })
  try {
    await work(replica, seen)
  } finally {
    await replica.close()
    await db.destroy()
  }
}

const whenProblemIs = (replica: Replica, problem: ReplicaProblem | null) =>
  vi.waitFor(() => expect(replica.getState().problem).toBe(problem), limitMs)

/** The notes that a list shows, and whether they are the replica's. */
async function readNotes({ reads }: Replica) {
  const { rows } = await sql<{ note: string; replica: boolean }>`
    select distinct note, pg_is_in_recovery() as replica from notes order by note`.execute(reads)
  return rows
}

// Only Postgres has replicas.
test('a replica with a future that its primary lost is never read', () =>
  withServer(async (primary) => {
    await createNotes(primary)
    await writeNote(primary, 'kept')
    const data = String(await query(primary.url, 'show data_directory'))
    const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
    /** Starts the primary as it was, after the change of its files. */
    const startEarlier = async (change: () => void = () => {}): Promise<void> => {
      await primary.crash()
      execFileSync('rm', ['-r', data])
      copyFolder(`${data}-earlier`, data)
      change()
      await primary.start()
    }
    const follow = async (copy: CrashingPostgres): Promise<void> => {
      await primary.crash()
      copyFolder(data, `${data}-earlier`)
      await primary.start()
      await writeNote(primary, 'lost')
      await withReads(primary, copy, async (replica, seen) => {
        await whenProblemIs(replica, null)
        await vi.waitFor(
          async () =>
            expect(await readNotes(replica)).toEqual([
              { note: 'kept', replica: true },
              { note: 'lost', replica: true },
            ]),
          limitMs,
        )

        await startEarlier()
        await whenProblemIs(replica, 'ahead of the primary')
        expect(await readNotes(replica)).toEqual([{ note: 'kept', replica: false }])
        expect(replica.getState().lagSeconds).toBe(null)

        // The end of the log that it has is the point in time.
        await startEarlier(() => {
          writeFileSync(join(data, 'recovery.signal'), '')
          appendFileSync(join(data, 'postgresql.auto.conf'), `restore_command = 'false'\n`)
        })
        await whenProblemIs(replica, 'follows another timeline')
        expect(seen).not.toContain('not a replica of this database')
        expect(await readNotes(replica)).toEqual([{ note: 'kept', replica: false }])
      })
      // The primary's log is longer than the replica's now, and still another one.
      await writeNote(primary, 'new')
      await writeNote(primary, 'newer')
      const replayed = String(await query(copy.url, 'select pg_last_wal_replay_lsn()'))
      expect(await query(primary.url, `select pg_current_wal_lsn() > '${replayed}'`)).toBe(true)
      await withReads(primary, copy, async (replica, seen) => {
        await vi.waitFor(() => expect(seen).toEqual(['follows another timeline']), limitMs)
        expect(await readNotes(replica)).toHaveLength(3)
      })
    }
    await withServer(follow, { primaryUrl: primary.url })
  }))

test('a replica of a replica is read, also under the next primary, until it is promoted', () =>
  withServer(async (primary) => {
    await createNotes(primary)
    await writeNote(primary, 'kept')
    const promote = async (first: CrashingPostgres, second: CrashingPostgres): Promise<void> => {
      await withReads(primary, second, async (replica) => {
        await whenProblemIs(replica, null)
        expect(await readNotes(replica)).toEqual([{ note: 'kept', replica: true }])
      })
      await query(first.url, 'select pg_promote()')
      await withReads(first, second, async (replica) => {
        // It follows to the new timeline at once, and shows it from its next restartpoint on.
        await query(first.url, 'checkpoint')
        await vi.waitFor(async () => {
          await query(second.url, 'checkpoint')
          expect(replica.getState().problem).toBe(null)
        }, limitMs)
        await query(second.url, 'select pg_promote()')
        await whenProblemIs(replica, 'not a replica of this database')
        expect(await readNotes(replica)).toEqual([{ note: 'kept', replica: false }])
      })
    }
    await withServer((first) => withServer((second) => promote(first, second), { primaryUrl: first.url }), {
      primaryUrl: primary.url,
    })
  }))
