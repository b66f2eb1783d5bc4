import { getEngine, type Db } from '#db/engine/client.ts'
import { sql } from 'kysely'

/** Every column of every table, read from the database itself. */
export async function allColumns(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await (
    getEngine(db) === 'postgres'
      ? sql<{ table: string; column: string }>`
          select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema() order by 1, 2`
      : sql<{ table: string; column: string }>`
          select m.name as "table", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' order by 1, 2`
  ).execute(db)
  return rows
}

/** The ids of the keys that encrypted this column's values. */
export async function sealedKeyIds(db: Db, table: string, column: string): Promise<Set<string>> {
  const text = sql`cast(${sql.ref(column)} as text)`
  const { rows } = await sql<{ value: string }>`
    select ${text} as value from ${sql.table(table)} where ${text} like 'v1.%.%.%.%'
  `.execute(db)
  return new Set(rows.map(({ value }) => value.split('.')[1] ?? ''))
}
