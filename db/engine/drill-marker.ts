import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/** An empty schema. While it is there, a drill may delete everything in the database. */
export const drillMarker = 'meridian_drill'

/** Call it before the database receives data that a drill must not delete. */
export async function dropDrillMarker(db: Db): Promise<void> {
  if (getEngine(db) === 'postgres') await sql`drop schema if exists ${sql.id(drillMarker)}`.execute(db)
}
