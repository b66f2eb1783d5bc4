import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, type Db } from './client.ts'

/**
 * `column in (…)` for a list that arrives as one JSON parameter, so that one prepared statement
 * serves any length.
 * @param json the list as JSON text
 */
export const isOneOf = (db: Db, column: string, json: RawBuilder<string>): RawBuilder<SqlBool> =>
  getEngine(db) === 'postgres'
    ? // An array: for a subquery, the planner assumes a hundred rows and scans the table.
      sql<SqlBool>`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${json}::jsonb)))`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${json}))`

/** The `like` pattern of texts that contain this one. A backslash escapes its wildcards. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Runs independent statements of one transaction. On Postgres they share a round trip. Settles
 * after all of them, so that none runs after a rollback, and throws the first cause of failure.
 */
export async function pipeline<const T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(statements)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const cause = failed.find(({ reason }) => !isInFailedTransaction(reason)) ?? failed[0]
  if (cause) throw cause.reason
  return Promise.all(statements)
}

/** Runs part of a transaction in a savepoint. When it fails, only that part is rolled back. */
export async function withSavepoint<T>(
  db: Db,
  work: () => Promise<T>,
): Promise<{ failed: false; result: T } | { failed: true; error: unknown }> {
  await sql`savepoint part`.execute(db)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(db)
    return { failed: false, result }
  } catch (error) {
    await sql`rollback to savepoint part`.execute(db)
    return { failed: true, error }
  }
}

/** Whether Postgres skipped a statement because an earlier one in the transaction failed. */
const isInFailedTransaction = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'

/** Whether a statement named a table that does not exist. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '42P01') || error.message.startsWith('no such table'))

/** Whether a write failed on a unique constraint. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/.test(String(error.code))

/** Whether Postgres aborted this transaction because of a deadlock. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'

/** Whether Postgres gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** Whether a write failed on a foreign key. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(String(error.code))

/** Whether Postgres could not convert a value to the column's type (class 22, "data exception"). */
export const isDataException = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22')
