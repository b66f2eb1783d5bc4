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
import type { PoolState } from './postgres.ts'
import { parseLogPosition, trackLag } from './replica-lag.ts'
import { answerLimitMs, ReplicaServer } from './replica-server.ts'
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

const replicas = new WeakMap<Db, StreamingReplica>()

/** The state of a primary's replica; null without one. */
export const getReplicaState = (primary: Db): ReplicaState | null => replicas.get(primary)?.getState() ?? null

/** The connections of a primary's replica; null without one, and while it is lost. */
export const getReplicaPoolState = (primary: Db): PoolState | null =>
  replicas.get(primary)?.readPool() ?? null

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
  return new StreamingReplica(url, primary, options)
}

class StreamingReplica implements Replica {
  readonly reads = readsOnly((query) => this.#execute(query))
  readonly #url: string
  readonly #primary: Db
  readonly #options: ReplicaOptions
  readonly #lag = trackLag()
  #server: ReplicaServer | null = null
  /** It does not answer, or has not answered yet. */
  #isLost = true
  #isForeign = false
  #fallbacks = 0
  #reported: ReplicaProblem | null | undefined
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, primary: Db, options: ReplicaOptions) {
    this.#url = url
    this.#primary = primary
    this.#options = options
    replicas.set(primary, this)
    void this.#watch()
  }

  readonly getState = (): ReplicaState => {
    const staleMs = this.#lag.staleMs(performance.now())
    return {
      problem: this.#getProblem(),
      lagSeconds: Number.isFinite(staleMs) ? staleMs / 1000 : null,
      fallbacks: this.#fallbacks,
    }
  }

  readPool(): PoolState | null {
    return this.#server?.readPool() ?? null
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    clearTimeout(this.#timer)
    replicas.delete(this.#primary)
    // A server that hangs does not close its connections.
    await Promise.race([this.#server?.close(), sleep(answerLimitMs, undefined, { ref: false })])
  }

  #getProblem(): ReplicaProblem | null {
    if (this.#isForeign) return 'not a replica of this database'
    if (this.#isLost) return 'lost'
    return this.#lag.staleMs(performance.now()) > maxReplicaLagMs ? 'late' : null
  }

  #reportChange(): void {
    const problem = this.#getProblem()
    if (problem === this.#reported) return
    this.#reported = problem
    this.#options.onChange(this.getState())
  }

  /** Does nothing when `server` was lost before. */
  #lose(server: ReplicaServer): void {
    if (server !== this.#server) return
    this.#isLost = true
    this.#server = null
    server.drop()
    this.#reportChange()
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'SelectQueryNode' && query.query.kind !== 'RawNode') {
      throw new Error('Only reads run on this handle.')
    }
    const server = this.#server
    if (!server || this.#getProblem() !== null) return this.#primary.executeQuery<R>(query)
    try {
      return await server.untilLost(server.pool.executeQuery<R>(query))
    } catch (error) {
      if (isReadOnlyViolation(error)) throw error
      this.#fallbacks++
      if (isFault(error) && !isPoolWait(error)) this.#lose(server)
      return this.#primary.executeQuery<R>(query)
    }
  }

  async #watch(): Promise<void> {
    await this.#measure()
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#watch(), measureEveryMs).unref()
  }

  async #measure(): Promise<void> {
    try {
      await this.#samplePrimary()
    } catch {
      // Without a primary, the bound grows until reads go there too.
      return this.#reportChange()
    }
    const server = (this.#server ??= new ReplicaServer(this.#url, this.#options.onIdleError))
    const overdue = setTimeout(() => this.#lose(server), answerLimitMs)
    try {
      const position = await server.readPosition(this.#primary)
      if (server !== this.#server) return
      this.#isForeign = position === null
      if (position === null) return this.#lose(server)
      this.#lag.noteReplica(position)
      this.#isLost = false
      this.#reportChange()
    } catch {
      this.#lose(server)
    } finally {
      clearTimeout(overdue)
    }
  }

  /** The time before the query is sent: what was acknowledged earlier is in the log already. */
  async #samplePrimary(): Promise<void> {
    const at = performance.now()
    const { rows } = await sql<{
      position: string
    }>`select pg_current_wal_flush_lsn()::text as position`.execute(this.#primary)
    if (rows[0]) this.#lag.notePrimary(at, parseLogPosition(rows[0].position))
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
