import { sql } from 'kysely'
import { engineOf, type Db } from './client.ts'

/** Drops every table, data and all. For development databases only. */
export async function resetDatabase(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres') {
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    return
  }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
      and not exists (select 1 from sqlite_master v where v.sql like 'create virtual table%'
        and sqlite_master.name like v.name || '\_%' escape '\')
    order by name`.execute(db)
  await sql`pragma foreign_keys = off`.execute(db)
  for (const { name } of rows) await sql`drop table if exists ${sql.table(name)}`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
}
