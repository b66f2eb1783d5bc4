import type { Db } from './client.ts'
import { kyselyPostgres } from './kysely-postgres.ts'
import { postgresDialect, type PoolState } from './postgres.ts'
import { readReplicaPosition, type LogPosition } from './replica-position.ts'
import { requestLimits } from './statement-limits.ts'

/** A replica that takes longer than this to answer is considered lost. */
export const answerLimitMs = 1500

export type ReplicaServer = ReturnType<typeof openReplicaServer>

/** The connections to a replica. Once it is lost they are dropped, and the next ones are new. */
export function openReplicaServer(url: string, onIdleError: (error: Error) => void) {
  let readPool: (() => PoolState) | null = null
  /** Reads that wait for the replica: a server that hangs fails none of them by itself. */
  const waiting = new Set<() => void>()

  const openPool = (of: { max?: number; onPool?: (read: () => PoolState) => void }): Db =>
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
  const pool = openPool({ onPool: (read) => (readPool = read) })
  /** One connection of its own: slow reads on all others must not delay its answer. */
  const probe = openPool({ max: 1 })

  /** May never resolve when the server hangs. */
  async function close(): Promise<void> {
    await Promise.all([pool.destroy(), probe.destroy()])
  }

  return {
    pool,
    /** Null before the first connection. */
    getPoolState: (): PoolState | null => readPool?.() ?? null,
    readPosition: (): Promise<LogPosition | null> => readReplicaPosition(probe),
    /** Rejects when the work fails, and when the server is lost before the work is done. */
    untilLost: async <T>(work: Promise<T>): Promise<T> => {
      // What loses the race may still fail, which must not end the process.
      work.catch(() => {})
      let fail = (): void => {}
      const lost = new Promise<never>((_, reject) => {
        fail = () => reject(new Error('The replica does not answer.'))
        waiting.add(fail)
      })
      try {
        return await Promise.race([work, lost])
      } finally {
        waiting.delete(fail)
      }
    },
    /** Fails what waits, and drops the connections: a server that is gone may never close them. */
    drop: (): void => {
      for (const fail of waiting) fail()
      waiting.clear()
      close().catch(() => {})
    },
    close,
  }
}
