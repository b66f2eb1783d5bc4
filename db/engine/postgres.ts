import { fastPathsEnabled } from '#domain/fast-paths.ts'
import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { watchAnswers, type AnswerWatch } from './answer-limit.ts'
import { isBackendAtWork } from './backend-check.ts'
import { isTransactionPooled } from './postgres-endpoint.ts'
import { getTypeParser, runNamed, type Prepared } from './postgres-statement.ts'
import { refuseStream, rowReader } from './rows.ts'
import { liftLimits, noLimits, startupOptions, type StatementLimits } from './statement-limits.ts'

const maxNamedStatements = 500
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => getTypeParser(oid) ?? String,
}

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

/** Holds writes back until the end of the turn, so that statements of one turn share a packet. */
function corkUntilNextTick({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * Whether a newer version's migration has added a column to the result of a prepared statement.
 * Postgres then refuses it for as long as its connection lives (plancache.c).
 */
const isChangedPlan = (error: unknown): boolean =>
  error instanceof Error && error.message === 'cached plan must not change result type'

/**
 * Whether a prepared statement is missing: another statement of the same text was sent right before
 * on this connection, and preparing that one failed (PostgreSQL, appendix A).
 */
const isMissingPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '26000'

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

function postgresDriver(connectionString: string, options: PostgresOptions): Driver {
  const isPooled = isTransactionPooled(connectionString)
  const limits = options.limits ?? noLimits
  const lifts = isPooled ? liftLimits(limits) : []
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
    // (docs/decisions/0004-portable-sql.md). A pooler could give the second one another connection.
    pipeline: !isPooled,
  })
  pool.on('error', options.onIdleError)
  // While the pool ends, neither it nor a statement listens. A server that dies then would end the
  // process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  options.onPool?.(() => ({
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
  }))
  let ended: Promise<void> | undefined
  const isAtWork = limits.checksServer
    ? (client: pg.PoolClient): Promise<boolean> => isBackendAtWork(connectionString, client)
    : undefined
  const answered = limits.answerMs > 0 ? watchAnswers(limits.answerMs, isAtWork) : answerAnyTime
  const isFast = fastPathsEnabled()

  /**
   * Statement names by text. Past the bound a text stays unnamed, which bounds a connection's
   * plans. Behind a pooler all do: the next transaction runs on another connection.
   */
  const names = new Map<string, string>()
  let lastName = 0
  const statementName = (text: string): string | undefined => {
    const known = names.get(text)
    if (isPooled || known || names.size >= maxNamedStatements) return known
    const name = `s${lastName++}`
    names.set(text, name)
    return name
  }
  const preparedOn = new WeakMap<pg.PoolClient, Prepared>()

  const clients = new WeakMap<DatabaseConnection, pg.PoolClient>()
  const getClient = (connection: DatabaseConnection): pg.PoolClient => {
    const client = clients.get(connection)
    if (!client) throw new Error('The connection has been released.')
    return client
  }
  /** Behind a pooler, each statement of a connection waits for the one before. */
  const turns = new WeakMap<pg.PoolClient, Promise<unknown>>()
  function inTurn<T>(client: pg.PoolClient, query: () => Promise<T>): Promise<T> {
    if (!isPooled) return query()
    const turn = (turns.get(client) ?? Promise.resolve()).then(query)
    turns.set(
      client,
      turn.catch(() => {}),
    )
    return turn
  }
  function run(connection: DatabaseConnection, statement: string): Promise<unknown> {
    const client = getClient(connection)
    return answered(
      client,
      inTurn(client, () => client.query(statement)),
    )
  }
  const beginning = (begin: string): string => [begin, ...lifts].join('; ')
  const inTransaction = new WeakSet<DatabaseConnection>()
  /** A statement alone becomes a transaction: only that can lift a limit behind a pooler. */
  async function runLifted<T>(client: pg.PoolClient, query: () => Promise<T>): Promise<T> {
    await client.query(beginning('begin'))
    try {
      const result = await query()
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that broke has no transaction any more.
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
  /** Unanswered `begin`s: a transaction's first statement is sent right behind its `begin`. */
  const begins = new Map<DatabaseConnection, Promise<unknown>>()
  async function awaitBegin(connection: DatabaseConnection): Promise<void> {
    const begin = begins.get(connection)
    begins.delete(connection)
    await begin
  }

  /**
   * A statement whose plan is missing or has changed columns gets a new name. Outside a
   * transaction, it runs again: without a name where the plan was missing, so that it prepares
   * itself.
   */
  async function executeQuery<R>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<R>> {
    const name = statementName(query.sql)
    try {
      return await runStatement<R>(connection, query, name)
    } catch (error) {
      if (!isChangedPlan(error) && !isMissingPlan(error)) throw error
      // Another connection may have renamed it already.
      if (names.get(query.sql) === name) names.delete(query.sql)
      if (inTransaction.has(connection)) throw error
      return runStatement<R>(connection, query, isMissingPlan(error) ? undefined : statementName(query.sql))
    }
  }

  async function runStatement<R>(
    connection: DatabaseConnection,
    { sql, parameters }: CompiledQuery,
    name: string | undefined,
  ): Promise<QueryResult<R>> {
    const client = getClient(connection)
    if (isFast && name) {
      let prepared = preparedOn.get(client)
      if (!prepared) preparedOn.set(client, (prepared = new Map()))
      return answered(client, runNamed<R>(client, prepared, { name, text: sql, values: parameters }))
    }
    const query = () =>
      client.query<unknown[]>({
        ...(name !== undefined && { name }),
        text: sql,
        values: parameters as unknown[],
        rowMode: 'array',
        types,
      })
    const isLifted = lifts.length > 0 && !inTransaction.has(connection)
    const result = await answered(client, inTurn(client, isLifted ? () => runLifted(client, query) : query))
    return {
      rows: result.rows.map(rowReader(result.fields)) as R[],
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    }
  }

  return {
    init: async () => {},
    acquireConnection: async () => {
      const client = await pool.connect()
      // The pool listens while a connection is idle. Between two statements of a transaction only
      // this listener does.
      client.on('error', options.onIdleError)
      const connection: DatabaseConnection = {
        executeQuery: async <R>(query: CompiledQuery) => {
          if (isFast) corkUntilNextTick(client)
          const [result] = await Promise.all([executeQuery<R>(connection, query), awaitBegin(connection)])
          return result
        },
        streamQuery: refuseStream,
      }
      clients.set(connection, client)
      return connection
    },
    beginTransaction: async (connection, { isolationLevel }) => {
      if (isFast) corkUntilNextTick(getClient(connection))
      inTransaction.add(connection)
      const begin = run(
        connection,
        beginning(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin'),
      )
      // The first statement rejects with it, or the commit.
      begin.catch(() => {})
      begins.set(connection, begin)
    },
    commitTransaction: async (connection) => {
      inTransaction.delete(connection)
      await Promise.all([run(connection, 'commit'), awaitBegin(connection)])
    },
    rollbackTransaction: async (connection) => {
      inTransaction.delete(connection)
      await run(connection, 'rollback')
    },
    releaseConnection: async (connection) => {
      const client = getClient(connection)
      clients.delete(connection)
      begins.delete(connection)
      client.off('error', options.onIdleError)
      client.release()
    },
    destroy: () => (ended ??= pool.end()),
  }
}
