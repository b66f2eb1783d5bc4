import { sql } from 'kysely'
import { rm } from 'node:fs/promises'
import { openDatabase, type Db } from './client.ts'
import { dropDrillMarker } from './drill-marker.ts'
import { sqliteFiles } from './sqlite-files.ts'

/** Drops all data and tables. For development databases that no other process has open. */
export async function resetDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    for (const file of sqliteFiles(path)) await rm(file, { force: true })
    return
  }
  const db = openDatabase(url, () => {})
  try {
    await emptyPostgres(db)
    await dropDrillMarker(db)
  } finally {
    await db.destroy()
  }
}

export async function emptyPostgres(db: Db): Promise<void> {
  // A process that was killed here may have left no schema.
  await sql`drop schema if exists public cascade`.execute(db)
  await sql`create schema public`.execute(db)
}
