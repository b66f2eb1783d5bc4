import { sql } from 'kysely'
import { openDatabase, type Db } from './client.ts'
import { hasTables } from './snapshot-facts.ts'

/** Starts the name of a schema that a restore replaced. Backups leave such schemas out. */
export const asidePrefix = 'before_'

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(url, () => {})
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Renames the schema of a Postgres database and creates an empty one in its place. Returns the new
 * name; null, and changes nothing, when there are no tables.
 */
export const moveSchemaAside = (url: string, name: string): Promise<string | null> =>
  withDatabase(url, async (db) => {
    if (!(await hasTables(db))) return null
    await db.transaction().execute(async (tx) => {
      await sql`alter schema public rename to ${sql.id(name)}`.execute(tx)
      await sql`create schema public`.execute(tx)
    })
    return name
  })

/** Puts a schema back in place of what came after it. */
export const returnSchema = (url: string, name: string): Promise<void> =>
  withDatabase(url, (db) =>
    db.transaction().execute(async (tx) => {
      await sql`drop schema public cascade`.execute(tx)
      await sql`alter schema ${sql.id(name)} rename to public`.execute(tx)
    }),
  )
