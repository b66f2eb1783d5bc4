import { getEngine, type Db } from '#db/engine/client.ts'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { allColumns } from './all-columns.ts'

/** The rows of a table as texts, in the order of their bytes. */
export async function rowTexts(db: Db, table: string): Promise<string[]> {
  const columns = (await allColumns(db)).filter((column) => column.table === table)
  const values = columns.map(({ column }) => sql`cast(${sql.ref(column)} as text) as ${sql.ref(column)}`)
  const { rows } = await sql`select ${sql.join(values)} from ${sql.table(table)}`.execute(db)
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

/** A hash of every row of every table. */
export async function tableHashes(db: Db): Promise<Record<string, string>> {
  const views = getEngine(db) === 'postgres' ? 'information_schema.views' : null
  const skipped = new Set<string>()
  if (views !== null) {
    const { rows } = await sql<{ name: string }>`select table_name as name from ${sql.table(views)}`.execute(
      db,
    )
    for (const { name } of rows) skipped.add(name)
  }
  const tables = new Set(
    (await allColumns(db)).map(({ table }) => table).filter((name) => !skipped.has(name)),
  )
  const hashes: Record<string, string> = {}
  for (const table of tables) {
    const rows = await rowTexts(db, table)
    hashes[table] = `${rows.length} ${createHash('sha256').update(rows.join('\n')).digest('hex')}`
  }
  return hashes
}
