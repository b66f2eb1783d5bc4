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
import { parserOf, runNamed, type Prepared } from './postgres-statement.ts'
import { refuseStream, rowReader } from './rows.ts'

const maxNamedStatements = 500
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => parserOf(oid) ?? String,
}

export type PostgresOptions = {
  max?: number
  /** Told when a connection breaks that no query waits for; without a listener that would end the process. */
  onIdleError: (error: Error) => void
}

/** Holds back what is written until those that are about to write have: one packet wakes the server once. */
function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Postgres behind Kysely, each statement prepared once a connection under a name of its own. */
export function postgresDialect(connectionString: string, options: PostgresOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => postgresDriver(connectionString, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function postgresDriver(connectionString: string, options: PostgresOptions): Driver {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5000,
    application_name: 'meridian',
    // Storage without moving parts. With the planner's four, a few rows by their ids are a bitmap scan, which walks over each dead version
    // of a row that sells well, and a hash of a whole table.
    options: '-c random_page_cost=1.1',
    // Statements that do not wait for each other share a round trip (docs/decisions/0004-portable-sql.md).
    pipeline: true,
  })
  pool.on('error', options.onIdleError)
  let ended: Promise<void> | undefined

  /** Statement names by text; past the bound a text stays unnamed, so that no connection hoards plans. */
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known || names.size >= maxNamedStatements) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
  const preparedOn = new WeakMap<pg.PoolClient, Prepared>()

  const clients = new WeakMap<DatabaseConnection, pg.PoolClient>()
  const clientOf = (connection: DatabaseConnection): pg.PoolClient => {
    const client = clients.get(connection)
    if (!client) throw new Error('The connection has been released.')
    return client
  }
  const run = (connection: DatabaseConnection, statement: string): Promise<unknown> =>
    clientOf(connection).query(statement)
  /** Begins that were sent and not answered yet: the first statement of a transaction goes out right behind. */
  const begins = new Map<DatabaseConnection, Promise<unknown>>()
  async function begun(connection: DatabaseConnection): Promise<void> {
    const begin = begins.get(connection)
    begins.delete(connection)
    await begin
  }

  async function executeQuery<R>(
    client: pg.PoolClient,
    { sql, parameters }: CompiledQuery,
  ): Promise<QueryResult<R>> {
    const name = nameOf(sql)
    if (name) {
      let prepared = preparedOn.get(client)
      if (!prepared) preparedOn.set(client, (prepared = new Map()))
      return runNamed<R>(client, prepared, { name, text: sql, values: parameters })
    }
    const result = await client.query<unknown[]>({
      text: sql,
      values: parameters as unknown[],
      rowMode: 'array',
      types,
    })
    return {
      rows: result.rows.map(rowReader(result.fields)) as R[],
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    }
  }

  return {
    init: async () => {},
    acquireConnection: async () => {
      const client = await pool.connect()
      // The pool listens while a connection is idle; between two statements of a transaction nobody would.
      client.on('error', options.onIdleError)
      const connection: DatabaseConnection = {
        executeQuery: async <R>(query: CompiledQuery) => {
          sendTogether(client)
          const [result] = await Promise.all([executeQuery<R>(client, query), begun(connection)])
          return result
        },
        streamQuery: refuseStream,
      }
      clients.set(connection, client)
      return connection
    },
    beginTransaction: async (connection, { isolationLevel }) => {
      sendTogether(clientOf(connection))
      const begin = run(connection, isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin')
      // Whoever sends the first statement, or ends the transaction without one, hears of it.
      begin.catch(() => {})
      begins.set(connection, begin)
    },
    commitTransaction: async (connection) =>
      void (await Promise.all([run(connection, 'commit'), begun(connection)])),
    rollbackTransaction: async (connection) => void (await run(connection, 'rollback')),
    releaseConnection: async (connection) => {
      const client = clientOf(connection)
      clients.delete(connection)
      begins.delete(connection)
      client.off('error', options.onIdleError)
      client.release()
    },
    destroy: () => (ended ??= pool.end()),
  }
}
