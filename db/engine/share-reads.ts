import {
  DefaultConnectionProvider,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import { endOfTurn } from './end-of-turn.ts'
import { refuseStream } from './rows.ts'

/** A read waits for at most seven others. */
const maxReads = 8
/** A read whose shortest recent answers take longer has a connection of its own. */
const slowMs = 20
/** Some 80 answers in a row must be slow: a busy moment delays all of them. */
const growth = 1.05
/** After an answer that took longer, a read has a connection of its own for a while. */
const longMs = 200
const aloneMs = 60_000
const maxTexts = 500

export type ReadConnections = {
  /** Whether this read may share a connection. */
  mayShare: (query: CompiledQuery) => boolean
  shared: ConnectionProvider
  own: ConnectionProvider
}

/** Whether it is a `select` that neither locks rows nor has a `with`, which could write. */
export const isPlainRead = ({ query }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' &&
  !('endModifiers' in query && query.endModifiers) &&
  !('with' in query && query.with)

/**
 * Connections for reads outside of transactions. Those that start in one turn of the event loop
 * share one, up to eight. The driver sends them as one packet, and the server answers them in order
 * (docs/decisions/0064-shared-connections.md). Each is a transaction of its own: it fails alone,
 * unless the connection breaks.
 */
export function connectReads(driver: Driver): ReadConnections {
  type Group = { connection: Promise<DatabaseConnection>; joined: number; left: number }
  let open: Group | null = null
  /** How long answers took, in milliseconds, by text. */
  const times = new Map<string, { shortest: number; aloneUntil: number }>()

  function noteTime(text: string, ms: number): void {
    const known = times.get(text)
    if (!known && times.size >= maxTexts) times.clear()
    times.set(text, {
      shortest: Math.min(ms, (known?.shortest ?? ms) * growth),
      aloneUntil: ms > longMs ? performance.now() + aloneMs : (known?.aloneUntil ?? 0),
    })
  }
  const timed = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: async <R>(query: CompiledQuery) => {
      const started = performance.now()
      const result = await connection.executeQuery<R>(query)
      noteTime(query.sql, performance.now() - started)
      return result
    },
    streamQuery: refuseStream,
  })
  function startGroup(): Group {
    const acquire = async (): Promise<DatabaseConnection> => {
      await endOfTurn()
      if (open === group) open = null
      return driver.acquireConnection()
    }
    const group: Group = { connection: acquire(), joined: 0, left: 0 }
    return group
  }

  const single = new DefaultConnectionProvider(driver)
  return {
    mayShare: ({ sql }) => {
      const known = times.get(sql)
      return !known || (known.shortest < slowMs && known.aloneUntil < performance.now())
    },
    shared: {
      provideConnection: async (consumer) => {
        if (!open || open.joined === maxReads) open = startGroup()
        const group = open
        group.joined++
        const connection = await group.connection
        try {
          return await consumer(timed(connection))
        } finally {
          if (++group.left === group.joined) await driver.releaseConnection(connection)
        }
      },
    },
    own: {
      provideConnection: (consumer) => single.provideConnection((connection) => consumer(timed(connection))),
    },
  }
}
