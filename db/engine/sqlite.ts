import type BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { existsSync, realpathSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from './better-sqlite3.ts'
import { groupCommit, type Turn } from './group-commit.ts'
import { refuseStream, rowReader } from './rows.ts'
import { shareNext } from './share-next.ts'

const maxCachedStatements = 500
const busyLimitMs = 10_000

type Prepared = {
  statement: BetterSqlite3.Statement
  /** How many columns a row has. */
  width: number
  read: ((values: readonly unknown[]) => Record<string, unknown>) | null
}

/** Statements that SQLite rejects or ignores inside a transaction. */
const runsOutsideTransactions = /^\s*(pragma|vacuum)\b/i

/** Converters by declared column type. Other types use SQLite's own values. */
const converters: Record<string, (value: unknown) => unknown> = {
  boolean: (value) => value === 1,
  timestamptz: (value) => new Date(String(value)),
  jsonb: (value) => JSON.parse(String(value)),
}

function toSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value === undefined ? null : value
}

/** An open file with its bounded cache of prepared statements; the oldest is evicted first. */
function openHandle(path: string, options: BetterSqlite3.Options) {
  const database = new Database(path, options)
  const cache = new Map<string, Prepared>()
  function prepare(sql: string): Prepared {
    const known = cache.get(sql)
    if (known) {
      cache.delete(sql)
      cache.set(sql, known)
      return known
    }
    const statement = database.prepare(sql)
    let prepared: Prepared = { statement, width: 0, read: null }
    if (statement.reader) {
      const columns = statement.columns().map(({ name, type }) => ({ name, convert: converters[type ?? ''] }))
      prepared = { statement: statement.raw(true), width: columns.length, read: rowReader(columns) }
    }
    cache.set(sql, prepared)
    if (cache.size > maxCachedStatements) cache.delete(cache.keys().next().value!)
    return prepared
  }
  function execute<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, width, read } = prepare(query.sql)
    const parameters = query.parameters.map(toSqlite)
    if (read) {
      const rows = statement.all(parameters) as unknown[][]
      const [first] = rows
      if (first === undefined || first.length === width) return { rows: rows.map(read) as R[] }
      // A newer version's migration has added a column. SQLite has prepared the statement again.
      cache.delete(query.sql)
      const again = prepare(query.sql)
      return { rows: rows.map((row) => again.read?.(row)) as R[] }
    }
    const { changes } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }
  return { database, prepare, execute }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Another process can hold the write lock briefly. Waiting must not block the event loop. */
async function retryWhileLocked<T>(attempt: () => T): Promise<T> {
  const until = Date.now() + busyLimitMs
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
      await sleep(pause)
    }
  }
}

/**
 * SQLite can roll back DDL, so migrations run in one IMMEDIATE transaction, which is also their
 * lock.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Writes each parameter as `+?`, which has the same value. SQLite prepares a statement again for
 * every new value of a bare `?` that its planner has looked at, such as a limit or a key in a join
 * (docs/decisions/0060-plans-without-values.md).
 */
class PlanOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/**
 * SQLite behind Kysely: WAL, foreign keys on. One writer and one reader handle, so that a read
 * outside a transaction never sees an open transaction's writes. Writes queue, begin IMMEDIATE and
 * share commits. A commit resolves once it is on disk. The program flushes the log itself, in a
 * thread: synchronous=FULL would stop the event loop (docs/decisions/0055-flush-in-a-thread.md).
 * @param path the file, or ":memory:", which has one handle for both
 */
export function sqliteDialect(
  path: string,
  onOpen: (handle: { whenDurable: () => Promise<void> }) => void,
): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => {
      const { driver, whenDurable } = sqliteDriver(path)
      onOpen({ whenDurable })
      return driver
    },
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlanOnceCompiler(),
  }
}

/** Flushes the write-ahead log of a database to disk. It is one file while the database is open. */
function walFlusher(path: string): { flush: () => Promise<void>; close: () => Promise<void> } {
  const log = `${path}-wal`
  let file: FileHandle | null = null
  let isClosed = false
  let latest = Promise.resolve()
  const flush = shareNext(async () => {
    // A new database has none before its first transaction.
    if (!file && !existsSync(log)) return
    file ??= await open(log, 'r+')
    await file.datasync()
  })
  return {
    flush: () => (isClosed ? Promise.resolve() : (latest = flush())),
    close: async () => {
      isClosed = true
      // A flush may still open the file.
      await latest.catch(() => {})
      await file?.close()
    },
  }
}

/** Reads a number that changes when another handle has committed; null has no other handles. */
function dataVersion(reader: BetterSqlite3.Database | null): () => number {
  const statement = reader?.prepare<[], number>('pragma data_version').pluck()
  // It is closed before the writer, which commits what is pending.
  return () => (reader?.open ? statement?.get() : undefined) ?? 0
}

function sqliteDriver(path: string): { driver: Driver; whenDurable: () => Promise<void> } {
  // Several processes can create the file at once. Blocking briefly is fine at startup, not later.
  const writer = openHandle(path, { timeout: busyLimitMs })
  writer.database.pragma('journal_mode = WAL')
  writer.database.pragma('synchronous = NORMAL')
  writer.database.pragma('foreign_keys = ON')
  // A destroyed key must not remain in the file's free space. FAST leaves whole pages that become
  // free as they are, such as those of a long profile.
  writer.database.pragma('secure_delete = ON')
  // The system caches the file too, so these are small: 8 MB, and 16 for the reader. With less, a
  // page that counts thousands of products for its filters takes a third longer to query.
  writer.database.pragma('cache_size = -8000')
  // SQLite keeps each page that a statement changes until the statement ends, and writes more than
  // 64 kB of them to a temporary file. That doubled the time of 24 new rows of the audit log.
  writer.database.pragma('temp_store = memory')
  writer.database.pragma('busy_timeout = 0')
  const reader = path === ':memory:' ? writer : openHandle(path, { readonly: true, timeout: 5000 })
  if (reader !== writer) {
    reader.database.pragma('cache_size = -16000')
  }
  // The log is beside the file itself, also when the path is a symbolic link.
  const wal = path === ':memory:' ? null : walFlusher(realpathSync(path))
  const writes = groupCommit(
    {
      flush: async () => wal?.flush(),
      version: dataVersion(reader === writer ? null : reader.database),
      execute: writer.execute,
      isInTransaction: () => writer.database.inTransaction,
      close: () => void writer.database.close(),
    },
    retryWhileLocked,
  )
  /** Connections with an open transaction. */
  const turns = new Map<DatabaseConnection, Turn>()

  async function executeQuery<R>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<R>> {
    const turn = turns.get(connection)
    if (turn) return turn.execute<R>(query)
    if (query.query.kind === 'SelectQueryNode') return reader.execute<R>(query)
    if (query.query.kind !== 'RawNode') return writes.write<R>(query)
    if (writer.prepare(query.sql).statement.readonly) return reader.execute<R>(query)
    return runsOutsideTransactions.test(query.sql) ? writes.executeAlone<R>(query) : writes.write<R>(query)
  }

  /** Kysely rolls back after a failed commit; by then the turn has ended. */
  async function end(connection: DatabaseConnection, how: 'commit' | 'rollback'): Promise<void> {
    const turn = turns.get(connection)
    turns.delete(connection)
    await turn?.[how]()
  }

  /** Kysely initializes a driver with its first query, and destroys only initialized ones. */
  let isUsed = false
  const driver: Driver = {
    init: async () => {
      isUsed = true
    },
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: (query) => executeQuery(connection, query),
        streamQuery: refuseStream,
      }
      return connection
    },
    beginTransaction: async (connection) => void turns.set(connection, await writes.begin()),
    commitTransaction: (connection) => end(connection, 'commit'),
    rollbackTransaction: (connection) => end(connection, 'rollback'),
    releaseConnection: async () => {},
    destroy: async () => {
      if (reader !== writer) reader.database.close()
      await writes.close()
      await wal?.close()
    },
  }
  // What was not read needs no flush, which would open a file that is never closed.
  return { driver, whenDurable: async () => (isUsed ? writes.whenDurable() : undefined) }
}
