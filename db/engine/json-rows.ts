import { sql, type RawBuilder } from 'kysely'
import { getEngine, type Db } from './client.ts'

export type JsonColumn = 'text' | 'integer' | 'bigint' | 'boolean' | 'jsonb' | 'timestamptz'

/**
 * Many rows as one JSON parameter to select from. Far cheaper than thousands of bound values, and
 * one statement text for any number of rows. Column names are the rows' keys in snake_case.
 */
export function jsonRows(
  db: Db,
  rows: readonly object[],
  columns: Readonly<Record<string, JsonColumn>>,
): RawBuilder<unknown> {
  return jsonTextRows(db, sql`${JSON.stringify(rows)}`, columns)
}

/** `jsonRows` for a prepared query, whose JSON text is known only when it runs. */
export function jsonTextRows(
  db: Db,
  json: RawBuilder<string>,
  columns: Readonly<Record<string, JsonColumn>>,
): RawBuilder<unknown> {
  const names = Object.entries(columns)
  if (getEngine(db) === 'postgres') {
    const list = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`jsonb_to_recordset(${json}::jsonb) as r(${sql.join(list)})`
  }
  const list = names.map(([name, type]) =>
    type === 'jsonb'
      ? sql`value -> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`
      : sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`,
  )
  // json_each would write each row as text, which the columns then parse again.
  return sql`(select ${sql.join(list)} from jsonb_each(${json})) as r`
}

/** A time in raw SQL. Postgres needs its type; SQLite stores the driver's ISO text. */
export const timestamp = (db: Db, moment: Date): RawBuilder<Date> =>
  getEngine(db) === 'postgres' ? sql<Date>`${moment}::timestamptz` : sql<Date>`${moment}`
