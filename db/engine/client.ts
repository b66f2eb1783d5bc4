import {
  Kysely,
  PostgresAdapter,
  sql,
  type Compilable,
  type CompiledQuery,
  type Dialect,
  type RawBuilder,
} from 'kysely'
import { kyselyPostgres } from './kysely-postgres.ts'
import { observeStatements, type StatementObserver } from './observe-statements.ts'
import { postgresDialect, type PoolState } from './postgres.ts'
import { camelCaseNames } from './rows.ts'
import type { StatementLimits } from './statement-limits.ts'
import type { Schema } from '../schema/schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { createPrivateFile, restrictAccess, type OpenFile } from './sqlite-files.ts'

/** The database, or the transaction that shadows it. Every query function takes it first. */
export type Db = Kysely<Schema>
export type Engine = 'sqlite' | 'postgres'
export type { PoolState, StatementObserver }

const poolStates = new WeakMap<Db, () => PoolState | null>()
const durability = new WeakMap<Db, () => Promise<void>>()
const opened = new WeakSet<Db>()

/**
 * Whether all reads of this database see one server's order of changes. Reads that may go to a
 * replica or to its primary do not: the second can be older than the first.
 */
export const readsOneServer = (db: Db): boolean => opened.has(db)

/** The connections of a database of `openDatabase`; null for SQLite, and before the first. */
export const getPoolState = (db: Db): PoolState | null => poolStates.get(db)?.() ?? null

/**
 * Resolves when everything that a read could see until now is on disk. On SQLite, a read sees a
 * commit shortly before; a response waits, so that no one learns what a power cut could undo.
 */
export const whenDurable = async (db: Db): Promise<void> => durability.get(db)?.()

/**
 * Opens `sqlite:/path`, `sqlite::memory:` or `postgres://…`. Connections open on first use.
 * @param onIdleError called when an idle Postgres connection breaks
 * @param options.observe runs each statement, for traces
 * @param options.limits how long Postgres may take; by default any time
 * @param options.maxConnections of Postgres
 */
export function openDatabase(
  url: string,
  onIdleError: (error: Error) => void,
  options: {
    observe?: StatementObserver | undefined
    limits?: StatementLimits
    maxConnections?: number
  } = {},
): Db {
  const { observe, limits, maxConnections: max } = options
  const observed = (dialect: Dialect): Dialect => (observe ? observeStatements(dialect, observe) : dialect)
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    if (path !== ':memory:') createPrivateFile(path)
    let handle: { whenDurable: () => Promise<void> } | undefined
    const dialect = observed(sqliteDialect(path, (opened) => void (handle = opened)))
    const db = new Kysely<Schema>({ dialect, plugins: [camelCaseNames()] })
    durability.set(db, async () => handle?.whenDurable())
    opened.add(db)
    return db
  }
  let readPool: (() => PoolState) | undefined
  const onPool = (read: () => PoolState): void => void (readPool = read)
  const dialect = observed(
    postgresDialect(url, { onIdleError, onPool, limits, ...(max !== undefined && { max }) }),
  )
  const db = kyselyPostgres(url, dialect, limits)
  poolStates.set(db, () => readPool?.() ?? null)
  opened.add(db)
  return db
}

/**
 * Removes other users' access to the files of a SQLite database, and returns those that had any.
 * Other databases have no files of ours.
 */
export const restrictDatabaseFiles = (url: string): OpenFile[] =>
  url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? restrictAccess(url.slice('sqlite:'.length)) : []

export const getEngine = (db: Pick<Db, 'getExecutor'>): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/** A placeholder for a value that is known only when the query runs. */
type Parameter = { readonly parameter: string }
const isParameter = (value: unknown): value is Parameter =>
  typeof value === 'object' && value !== null && 'parameter' in value

/** The placeholders of a prepared query: `p.name` is where the value of `name` goes. */
export type Params<P> = { [K in keyof P]: RawBuilder<P[K]> }

/**
 * A query that is built and compiled once per engine. Building a query costs several times what
 * SQLite takes to run it.
 */
export function prepareQuery<P extends Record<string, unknown>, Row>(
  build: (db: Db, p: Params<P>) => Compilable<Row>,
): (db: Db, values: P) => Promise<Row[]> {
  const compiled: Partial<Record<Engine, CompiledQuery<Row>>> = {}
  const places = new Proxy({} as Params<P>, {
    get: (_, name) => sql`${{ parameter: String(name) } satisfies Parameter}`,
  })
  return async (db, values) => {
    const query = (compiled[getEngine(db)] ??= build(db, places).compile())
    const parameters = query.parameters.map((value) => (isParameter(value) ? values[value.parameter] : value))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
