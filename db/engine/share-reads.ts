import type { CompiledQuery, ConnectionProvider, DatabaseConnection, Driver } from 'kysely'
import { endOfTurn } from './end-of-turn.ts'
import { refuseStream } from './rows.ts'

/** A read waits for at most seven others. */
const maxReads = 8
/** A read that takes longer has a connection of its own. */
const slowMs = 20
/** A read counts as slow after some 80 slow answers in a row: a busy moment delays all of them. */
const growth = 1.05
const maxTexts = 500

export type ReadConnections = {
  /** Whether this read may share a connection. */
  mayShare: (query: CompiledQuery) => boolean
  shared: ConnectionProvider
  own: ConnectionProvider
}

/** Whether it is a `select` that locks nothing. */
export const isPlainRead = ({ query }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' && !('endModifiers' in query && query.endModifiers)

/**
 * Connections for reads outside of transactions. Those that start in one turn of the event loop
 * share one, up to eight. The driver sends them as one packet, and the server answers them in order
 * (docs/decisions/0064-shared-connections.md). Each is a transaction of its own: it fails alone,
 * unless the connection breaks.
 */
export function connectReads(driver: Driver): ReadConnections {
  type Shared = { connection: Promise<DatabaseConnection>; joined: number; left: number }
  let open: Shared | null = null
  /** The shortest recent times in milliseconds, by text. */
  const shortest = new Map<string, number>()

  function noteTime(text: string, ms: number): void {
    if (shortest.size >= maxTexts && !shortest.has(text)) shortest.clear()
    shortest.set(text, Math.min(ms, (shortest.get(text) ?? ms) * growth))
  }
  const timed = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: async (query) => {
      const started = performance.now()
      try {
        return await connection.executeQuery(query)
      } finally {
        noteTime(query.sql, performance.now() - started)
      }
    },
    streamQuery: refuseStream,
  })
  async function acquireAtEndOfTurn(): Promise<DatabaseConnection> {
    await endOfTurn()
    open = null
    return driver.acquireConnection()
  }
  function join(): Shared {
    if (!open || open.joined === maxReads) open = { connection: acquireAtEndOfTurn(), joined: 0, left: 0 }
    open.joined++
    return open
  }

  return {
    mayShare: (query) => (shortest.get(query.sql) ?? 0) < slowMs,
    shared: {
      provideConnection: async (consumer) => {
        const shared = join()
        const connection = await shared.connection
        try {
          return await consumer(timed(connection))
        } finally {
          if (++shared.left === shared.joined) await driver.releaseConnection(connection)
        }
      },
    },
    own: {
      provideConnection: async (consumer) => {
        const connection = await driver.acquireConnection()
        try {
          return await consumer(timed(connection))
        } finally {
          await driver.releaseConnection(connection)
        }
      },
    },
  }
}
