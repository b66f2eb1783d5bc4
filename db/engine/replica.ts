import {
  maxReplicaLagMs,
  type ReplicaMismatch,
  type ReplicaProblem,
  type ReplicaState,
} from '#domain/replica.ts'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './client.ts'
import type { PoolState } from './postgres.ts'
import { trackLag } from './replica-lag.ts'
import { findMismatch, readPrimaryPosition, type LogPosition } from './replica-position.ts'
import { answerLimitMs, openReplicaServer, type ReplicaServer } from './replica-server.ts'
import { camelCaseNames, refuseStream } from './rows.ts'

const measureEveryMs = 1000

export type Replica = {
  /** For reads that tolerate lag: the replica while it is in use, else the primary. */
  reads: Db
  getState: () => ReplicaState
  close: () => Promise<void>
}

type ReplicaOptions = {
  /** Called when reads go to another server. */
  onChange: (state: ReplicaState) => void
  onIdleError: (error: Error) => void
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
 */
export function openReplica(url: string, primary: Db, options: ReplicaOptions): Replica {
  let lag = trackLag()
  /** Null once it is lost, until it is tried again. */
  let server: ReplicaServer | null = null
  /** Lost: it does not answer, or has not answered yet. */
  let unusable: Exclude<ReplicaProblem, 'late'> | null = 'lost'
  let fallbacks = 0
  let reported: ReplicaProblem | null | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function getProblem(): ReplicaProblem | null {
    if (unusable) return unusable
    return lag.staleMs(performance.now()) > maxReplicaLagMs ? 'late' : null
  }
  function getState(): ReplicaState {
    const staleMs = lag.staleMs(performance.now())
    return {
      problem: getProblem(),
      lagSeconds: Number.isFinite(staleMs) ? staleMs / 1000 : null,
      fallbacks,
    }
  }
  function reportChange(): void {
    const problem = getProblem()
    if (problem === reported) return
    reported = problem
    options.onChange(getState())
  }

  /** Does nothing when `current` was lost before. */
  function lose(current: ReplicaServer, why: 'lost' | ReplicaMismatch = 'lost'): void {
    if (current !== server) return
    unusable = why
    server = null
    current.drop()
    reportChange()
  }

  async function execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'SelectQueryNode' && query.query.kind !== 'RawNode') {
      throw new Error('Only reads run on this handle.')
    }
    const current = server
    if (!current || getProblem() !== null) return primary.executeQuery<R>(query)
    try {
      return await current.untilLost(current.pool.executeQuery<R>(query))
    } catch (error) {
      if (isReadOnlyViolation(error)) throw error
      fallbacks++
      if (isFault(error) && !isPoolWait(error)) lose(current)
      return primary.executeQuery<R>(query)
    }
  }

  /** Null without a primary. */
  async function samplePrimary(): Promise<LogPosition | null> {
    // Before the query is sent: what was acknowledged earlier is in the log already.
    const at = performance.now()
    try {
      const sample = await readPrimaryPosition(primary)
      lag.notePrimary(at, sample.position)
      return sample
    } catch {
      return null
    }
  }

  /** What was noted may be of another history. */
  function reject(current: ReplicaServer, mismatch: ReplicaMismatch): void {
    lag = trackLag()
    lose(current, mismatch)
  }

  async function measure(): Promise<void> {
    const before = await samplePrimary()
    // Without a primary, the bound grows until reads go there too.
    if (!before) return reportChange()
    const current = (server ??= openReplicaServer(url, options.onIdleError))
    const overdue = setTimeout(() => lose(current), answerLimitMs)
    const theirs = await current
      .readPosition()
      .catch(() => undefined)
      .finally(() => clearTimeout(overdue))
    if (theirs === undefined) return lose(current)
    if (theirs === null) return reject(current, 'not a replica of this database')
    let mismatch = findMismatch(before, theirs)
    // It may have replayed what the primary wrote since.
    if (mismatch === 'ahead of the primary') {
      const after = await samplePrimary()
      if (!after) return reportChange()
      mismatch = findMismatch(after, theirs)
    }
    if (current !== server) return
    if (mismatch) return reject(current, mismatch)
    lag.noteReplica(theirs.position)
    unusable = null
    reportChange()
  }

  async function watch(): Promise<void> {
    await measure()
    if (!isClosed) timer = setTimeout(() => void watch(), measureEveryMs).unref()
  }
  void watch()
  readings.set(primary, { state: getState, pool: () => server?.getPoolState() ?? null })

  return {
    reads: readsOnly(execute),
    getState,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      readings.delete(primary)
      // A server that hangs does not close its connections.
      await Promise.race([server?.close(), sleep(answerLimitMs, undefined, { ref: false })])
    },
  }
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
