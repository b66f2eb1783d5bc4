import { sql } from 'kysely'
import { engineOf, type Db } from './client.ts'

/**
 * Reads everything as it stood at one moment, beside whoever writes, who waits for nothing. For a command's own database: in SQLite
 * whatever else this process reads meanwhile is of that moment too.
 */
export async function inSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  if (engineOf(db) === 'postgres')
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  // What writes nothing runs on the reading handle, and so does the beginning of a transaction that has not written yet.
  await sql`begin`.execute(db)
  try {
    return await read(db)
  } finally {
    await sql`commit`.execute(db)
  }
}
