import { sql } from 'kysely'
import type { Db } from './client.ts'
import { kyselyPostgres } from './kysely-postgres.ts'
import { postgresDialect, type PoolState } from './postgres.ts'
import { parseLogPosition } from './replica-lag.ts'
import { requestLimits } from './statement-limits.ts'

/** A replica that takes longer than this to answer is considered lost. */
export const answerLimitMs = 1500

/** The connections to a replica. Once it is lost they are dropped, and the next ones are new. */
export class ReplicaServer {
  readonly pool: Db
  /** One connection of its own: slow reads on all others must not delay its answer. */
  readonly #probe: Db
  #readPool: (() => PoolState) | null = null
  #isVerified = false
  /** Reads that wait for the replica: a server that hangs fails none of them by itself. */
  readonly #waiting = new Set<() => void>()

  constructor(url: string, onIdleError: (error: Error) => void) {
    const open = (of: { max?: number; onPool?: (read: () => PoolState) => void }): Db =>
      kyselyPostgres(
        url,
        postgresDialect(url, {
          onIdleError,
          connectionTimeoutMillis: answerLimitMs,
          limits: requestLimits,
          ...of,
        }),
        requestLimits,
      )
    this.pool = open({ onPool: (read) => (this.#readPool = read) })
    this.#probe = open({ max: 1 })
  }

  /** Null before the first connection. */
  readPool(): PoolState | null {
    return this.#readPool?.() ?? null
  }

  /**
   * The position up to which the log is replayed, or null: the server is another database's, or was
   * promoted, and then its data differs.
   */
  async readPosition(primary: Db): Promise<bigint | null> {
    this.#isVerified ||= await isReplicaOf(primary, this.#probe)
    if (!this.#isVerified) return null
    const { rows } = await sql<{ position: string | null }>`
      select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()`.execute(this.#probe)
    const position = rows[0]?.position
    return position ? parseLogPosition(position) : null
  }

  /** Rejects when the work fails, and when the server is lost before the work is done. */
  async untilLost<T>(work: Promise<T>): Promise<T> {
    // What loses the race may still fail, which must not end the process.
    work.catch(() => {})
    let fail = (): void => {}
    const lost = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('The replica does not answer.'))
      this.#waiting.add(fail)
    })
    try {
      return await Promise.race([work, lost])
    } finally {
      this.#waiting.delete(fail)
    }
  }

  /** Fails what waits, and drops the connections: a server that is gone may never close them. */
  drop(): void {
    for (const fail of this.#waiting) fail()
    this.#waiting.clear()
    this.close().catch(() => {})
  }

  /** May never resolve when the server hangs. */
  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.#probe.destroy()])
  }
}

type Identity = { id: string; database: string }
const readIdentity = async (db: Db): Promise<Identity | undefined> =>
  (
    await sql<Identity>`select system_identifier::text as id, current_database() as database
      from pg_control_system()`.execute(db)
  ).rows[0]

/** Whether both are one database of one cluster: another's log positions would mean nothing. */
async function isReplicaOf(primary: Db, replica: Db): Promise<boolean> {
  const [ours, theirs] = await Promise.all([readIdentity(primary), readIdentity(replica)])
  return ours !== undefined && ours.id === theirs?.id && ours.database === theirs.database
}
