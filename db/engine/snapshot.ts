import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/**
 * Reads a consistent snapshot without blocking writers. For commands with their own database
 * handle: on SQLite, all other reads of this process see the same snapshot.
 */
export async function readSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  if (getEngine(db) === 'postgres')
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  // A transaction runs on the reader handle until its first write.
  await sql`begin`.execute(db)
  try {
    return await read(db)
  } finally {
    await sql`commit`.execute(db)
  }
}
