import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { engineOf, type Db } from './client.ts'

/**
 * `column in (…)` for a list that arrives as one JSON parameter, so that one prepared statement serves any length.
 * @param json the list as JSON text
 */
export const isOneOf = (db: Db, column: string, json: RawBuilder<string>): RawBuilder<SqlBool> =>
  engineOf(db) === 'postgres'
    ? // An array, not a subquery: for that the planner guesses a hundred rows and reads the whole table.
      sql<SqlBool>`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${json}::jsonb)))`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${json}))`

/**
 * Runs statements of one transaction of which none waits for another's answer: on Postgres they share a round trip. Ends when all have, so
 * that none runs after a rollback, and throws what made them fail.
 */
export async function together<const T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(statements)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const cause = failed.find(({ reason }) => !isInFailedTransaction(reason)) ?? failed[0]
  if (cause) throw cause.reason
  return Promise.all(statements)
}

/** Does part of a transaction; when that fails, nothing of it stands and the rest can go on. */
export async function undoneWhenFailed<T>(
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

/** Whether Postgres did not run a statement because one before it in the transaction had failed. */
const isInFailedTransaction = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'

/** Whether a write failed because a unique value stands there already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/.test(String(error.code))

/** Whether Postgres ended this transaction because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'

/** Whether a write failed because what it names is not there. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(String(error.code))

/** Whether Postgres could make no value of the column's type of what it was given: its class 22, "data exception". */
export const isNoValue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22')
