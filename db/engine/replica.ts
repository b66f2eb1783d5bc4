import { maxReplicaLagMs, type ReplicaProblem, type ReplicaState } from '#domain/replica.ts'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './client.ts'
import { kyselyPostgres } from './kysely-postgres.ts'
import { postgresDialect, type PoolState } from './postgres.ts'
import { parseLogPosition, trackLag } from './replica-lag.ts'
import { camelCaseNames, refuseStream } from './rows.ts'
import { requestLimits } from './statement-limits.ts'

const measureEveryMs = 1000
/** A replica that takes longer than this to answer is considered lost. */
const answerLimitMs = 1500

export type Replica = {
  /** For reads that tolerate lag: the replica while it is in use, else the primary. */
  reads: Db
  getState: () => ReplicaState
  close: () => Promise<void>
}

type Reading = { state: () => ReplicaState; pool: () => PoolState | null }
const readings = new WeakMap<Db, Reading>()

/** The state of a primary's replica; null without one. */
export const getReplicaState = (primary: Db): ReplicaState | null => readings.get(primary)?.state() ?? null

/** The connections of a primary's replica; null without one, and while it is lost. */
export const getReplicaPoolState = (primary: Db): PoolState | null => readings.get(primary)?.pool() ?? null

/** Errors of the server or the connection, not of one statement (PostgreSQL, appendix A). */
const isFault = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // A statement's own error has another class. 40001 is a conflict with replay, which cancels it.
  return !/^[\dA-Z]{5}$/.test(code) || /^(08|53|57P)/.test(code)
}
/** The pool's own error (`pg-pool`): all connections are busy, which says nothing of the server. */
const isPoolWait = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

const isReadOnlyViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25006'

/**
 * Opens a streaming replica beside its primary (docs/decisions/0042-replica.md). Every failed read
 * runs again on the primary. Once the replica is lost, no read waits for it until it answers again.
 * @param options.onChange called when reads go to another server
 */
export function openReplica(
  url: string,
  primary: Db,
  options: { onChange: (state: ReplicaState) => void; onIdleError: (error: Error) => void },
): Replica {
  const lag = trackLag()
  let isForeign = false
  /** Whether the open connections lead to a replica of this database. */
  let isVerified = false
  let isLost = true
  let fallbacks = 0
  let shown: ReplicaProblem | null | undefined
  let isClosed = false
  let pool: Db | null = null
  /** One connection of its own: slow reads on all others must not delay its answer. */
  let probe: Db | null = null
  let readPool: (() => PoolState) | null = null
  /** Reads that wait for the replica: a server that hangs fails none of them by itself. */
  const waiting = new Set<() => void>()

  const openPool = (of: { max?: number; onPool?: (read: () => PoolState) => void }): Db =>
    kyselyPostgres(
      url,
      postgresDialect(url, {
        onIdleError: options.onIdleError,
        connectionTimeoutMillis: answerLimitMs,
        limits: requestLimits,
        ...of,
      }),
      requestLimits,
    )

  const getProblem = (): ReplicaProblem | null => {
    if (isForeign) return 'not a replica of this database'
    if (isLost) return 'lost'
    return lag.staleMs(performance.now()) > maxReplicaLagMs ? 'late' : null
  }
  const getState = (): ReplicaState => {
    const staleMs = lag.staleMs(performance.now())
    return {
      problem: getProblem(),
      lagSeconds: Number.isFinite(staleMs) ? staleMs / 1000 : null,
      fallbacks,
    }
  }
  function reportChange(): void {
    const problem = getProblem()
    if (problem === shown) return
    shown = problem
    options.onChange(getState())
  }

  /** Fails what waits, and drops the connections: a server that is gone may never close them. */
  function lose(): void {
    isLost = true
    isVerified = false
    const lost = [pool, probe]
    pool = null
    probe = null
    readPool = null
    for (const fail of waiting) fail()
    waiting.clear()
    for (const each of lost) void each?.destroy().catch(() => {})
    reportChange()
  }

  async function untilLost<T>(work: Promise<T>): Promise<T> {
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
  }

  async function execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'SelectQueryNode' && query.query.kind !== 'RawNode') {
      throw new Error('Only reads run on this handle.')
    }
    const current = pool
    if (!current || getProblem() !== null) return primary.executeQuery<R>(query)
    try {
      return await untilLost(current.executeQuery<R>(query))
    } catch (error) {
      if (isReadOnlyViolation(error)) throw error
      fallbacks++
      if (isFault(error) && !isPoolWait(error) && current === pool) lose()
      return primary.executeQuery<R>(query)
    }
  }

  /** The time before the query is sent: what was acknowledged earlier is in the log already. */
  async function samplePrimary(): Promise<void> {
    const at = performance.now()
    const { rows } = await sql<{
      position: string
    }>`select pg_current_wal_flush_lsn()::text as position`.execute(primary)
    if (rows[0]) lag.notePrimary(at, parseLogPosition(rows[0].position))
  }

  async function measure(): Promise<void> {
    try {
      await samplePrimary()
    } catch {
      // Without a primary, the bound grows until reads go there too.
      return reportChange()
    }
    pool ??= openPool({ onPool: (read) => (readPool = read) })
    const current = (probe ??= openPool({ max: 1 }))
    const overdue = setTimeout(() => current === probe && lose(), answerLimitMs)
    try {
      isVerified ||= await isReplicaOf(primary, current)
      const { rows } = await sql<{ position: string | null }>`
        select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()`.execute(current)
      if (current !== probe) return
      const position = rows[0]?.position
      // Without a row, it was promoted: from then on its data differs.
      isForeign = !isVerified || !position
      if (isForeign || !position) return lose()
      lag.noteReplica(parseLogPosition(position))
      isLost = false
      reportChange()
    } catch {
      if (current === probe) lose()
    } finally {
      clearTimeout(overdue)
    }
  }

  let timer: NodeJS.Timeout | undefined
  async function watch(): Promise<void> {
    await measure()
    if (!isClosed) timer = setTimeout(() => void watch(), measureEveryMs).unref()
  }
  void watch()
  readings.set(primary, { state: getState, pool: () => readPool?.() ?? null })

  return {
    reads: readsOnly(execute),
    getState,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      readings.delete(primary)
      // A server that hangs does not close its connections.
      const closed = Promise.all([pool?.destroy(), probe?.destroy()])
      await Promise.race([closed, sleep(answerLimitMs, undefined, { ref: false })])
    },
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

/** A handle whose statements are executed one by one, each on the server that suits it then. */
function readsOnly(execute: <R>(query: CompiledQuery) => Promise<QueryResult<R>>): Db {
  const refuse = async (): Promise<void> => {
    throw new Error('Only reads run on this handle, without a transaction.')
  }
  const connection = (): DatabaseConnection => ({ executeQuery: execute, streamQuery: refuseStream })
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection(),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [camelCaseNames()],
  })
}
