import { fastPathsEnabled } from '#domain/fast-paths.ts'
import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely'
import pg from 'pg'
import { watchAnswers, type AnswerWatch } from './answer-limit.ts'
import { isBackendAtWork } from './backend-check.ts'
import { noNames, PostgresConnection, statementNames, type ConnectionOptions } from './postgres-connection.ts'
import { isTransactionPooled } from './postgres-endpoint.ts'
import type { Prepared } from './postgres-statement.ts'
import { liftLimits, noLimits, startupOptions, type StatementLimits } from './statement-limits.ts'

export type PostgresOptions = {
  max?: number
  connectionTimeoutMillis?: number
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onIdleError: (error: Error) => void
  /** By default, statements may take any time. */
  limits?: StatementLimits | undefined
  /** Called once with a function that reads the pool's state. */
  onPool?: (read: () => PoolState) => void
}

/** Connections by what they do, and what waits for one: a caller, or up to eight shared reads. */
export type PoolState = { idle: number; busy: number; waiting: number }

/**
 * For solid-state storage. With the planner's default of four, a few rows by their ids become a
 * bitmap scan, which visits each dead version of a row that sells well, and a hash of a whole
 * table.
 */
const planOption = '-c random_page_cost=1.1'
/** The system then probes a silent connection, and notices that the server's machine is gone. */
const keepAliveInitialDelayMillis = 30_000

const answerAnyTime: AnswerWatch = (_client, answer) => answer

/**
 * Leaves the lock of migrations to `migrate`. Kysely's is a session's: a pooler would keep it after
 * the migration, and the next one would wait for it.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Postgres behind Kysely. Each statement has a name and is prepared once per connection. */
export function postgresDialect(connectionString: string, options: PostgresOptions): Dialect {
  return {
    createAdapter: () => new UnlockedAdapter(),
    createDriver: () => postgresDriver(connectionString, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function openPool(connectionString: string, options: PostgresOptions, limits: StatementLimits): pg.Pool {
  const isPooled = isTransactionPooled(connectionString)
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMillis ?? 5000,
    // A new connection prepares its statements again, and its first query reads the catalog.
    idleTimeoutMillis: 60_000,
    application_name: 'meridian',
    keepAlive: true,
    keepAliveInitialDelayMillis,
    // PgBouncer refuses them. Behind a pooler, the database has them (docs/operations.md).
    ...(!isPooled && { options: [planOption, ...startupOptions(limits)].join(' ') }),
    // Statements that do not wait for each other share a round trip
    // (docs/decisions/0004-portable-sql.md).
    pipeline: !isPooled,
  })
  // The pool ends before the server has closed its connections. One that breaks then is not needed.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError(error)
  })
  // While the pool ends, neither it nor a statement listens. A server that dies then would end the
  // process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  options.onPool?.(() => ({
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return pool
}

function connectionOptions(connectionString: string, limits: StatementLimits): ConnectionOptions {
  const isPooled = isTransactionPooled(connectionString)
  const isAtWork = limits.checksServer
    ? (client: pg.PoolClient): Promise<boolean> => isBackendAtWork(connectionString, client)
    : undefined
  const prepared = new WeakMap<pg.PoolClient, Prepared>()
  return {
    names: isPooled ? noNames : statementNames(),
    lifts: isPooled ? liftLimits(limits) : [],
    isFast: fastPathsEnabled(),
    isPipelined: !isPooled,
    answered: limits.answerMs > 0 ? watchAnswers(limits.answerMs, isAtWork) : answerAnyTime,
    preparedOn: (client) => {
      let statements = prepared.get(client)
      if (!statements) prepared.set(client, (statements = new Map()))
      return statements
    },
  }
}

/** Kysely gives back the connections that it has acquired. */
function requirePostgresConnection(connection: DatabaseConnection): PostgresConnection {
  if (!(connection instanceof PostgresConnection)) throw new Error('Another driver opened this connection.')
  return connection
}

function postgresDriver(connectionString: string, options: PostgresOptions): Driver {
  const limits = options.limits ?? noLimits
  const pool = openPool(connectionString, options, limits)
  const shared = connectionOptions(connectionString, limits)
  let ended: Promise<void> | undefined
  return {
    init: async () => {},
    acquireConnection: async () => {
      const client = await pool.connect()
      // The pool listens while a connection is idle. Between two statements of a transaction only
      // this listener does.
      client.on('error', options.onIdleError)
      return new PostgresConnection(client, shared)
    },
    beginTransaction: async (connection, { isolationLevel }) =>
      requirePostgresConnection(connection).begin(isolationLevel),
    commitTransaction: (connection) => requirePostgresConnection(connection).commit(),
    rollbackTransaction: (connection) => requirePostgresConnection(connection).rollback(),
    releaseConnection: async (connection) => {
      const client = requirePostgresConnection(connection).release()
      client.off('error', options.onIdleError)
      client.release()
    },
    destroy: () => (ended ??= pool.end()),
  }
}
