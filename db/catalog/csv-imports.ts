import type { ImportMapping, ImportStatus } from '#domain/catalog/csv-imports.ts'
import type { ImportQuery } from '#domain/catalog/import-list.ts'
import type { GridPage } from '#domain/grid.ts'
import { sql, type Selectable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import type { CsvImportsTable } from '../schema/csv-imports.ts'
import { parseHeader, parseMapping } from './json-columns.ts'

/** CSV imports. */

export type CsvImportRow = {
  id: string
  actorId: string
  fileName: string
  status: ImportStatus
  header: string[]
  mapping: ImportMapping | null
  rowCount: number
  checkedLine: number
  round: number
  requestId: string | null
  createdAt: Date
  updatedAt: Date
}

export async function insertImport(
  db: Db,
  input: Pick<CsvImportRow, 'id' | 'actorId' | 'fileName' | 'header'> & { now: Date },
): Promise<void> {
  const { now, header, ...row } = input
  await db
    .insertInto('csvImports')
    .values({
      ...row,
      header: JSON.stringify(header),
      status: 'receiving',
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

const visibleImports = (db: Db) =>
  db.selectFrom('csvImports').where('status', 'not in', ['receiving', 'discarded'])

const toImportRow = ({ header, mapping, ...row }: Selectable<CsvImportsTable>): CsvImportRow => ({
  ...row,
  header: parseHeader(header),
  mapping: mapping === null ? null : parseMapping(mapping),
})

/** An import, or null when it does not exist, is still uploading, or was discarded. */
export async function findImport(db: Db, id: string): Promise<CsvImportRow | null> {
  const row = await visibleImports(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toImportRow(row) : null
}

/**
 * The same, locked for this transaction, so that one process works on it at a time. SQLite has one
 * writer.
 */
export async function lockImport(db: Db, id: string): Promise<CsvImportRow | null> {
  let query = visibleImports(db).selectAll().where('id', '=', id)
  if (getEngine(db) === 'postgres') query = query.forUpdate()
  const row = await query.executeTakeFirst()
  return row ? toImportRow(row) : null
}

/** A page of the imports that were not discarded. Their ids follow the time of upload. */
export const listImports = (
  db: Db,
  query: ImportQuery,
): Promise<GridPage<Pick<CsvImportRow, 'id' | 'fileName' | 'status' | 'rowCount' | 'createdAt'>>> =>
  keysetPage(
    visibleImports(db).select(['id', 'fileName', 'status', 'rowCount', 'createdAt']),
    { by: sql<string>`id`, id: sql`id` },
    query,
    countRows(db, visibleImports(db)),
  )

/** The ids of imports that are being checked or applied. */
export async function listActiveImports(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('csvImports')
    .select('id')
    .where('status', 'in', ['checking', 'applying'])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateImport(
  db: Db,
  {
    id,
    now,
    mapping,
    ...changes
  }: { id: string; now: Date } & Partial<
    Pick<CsvImportRow, 'status' | 'mapping' | 'rowCount' | 'checkedLine' | 'round' | 'requestId'>
  >,
): Promise<void> {
  await db
    .updateTable('csvImports')
    .set({ ...changes, ...(mapping && { mapping: JSON.stringify(mapping) }), updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes some lines of one discarded, abandoned or expired import. Returns true when there may be
 * more to delete.
 */
export async function deleteSomeImports(
  db: Db,
  { receivingBefore, before, limit }: { receivingBefore: Date; before: Date; limit: number },
): Promise<boolean> {
  const expired = await db
    .selectFrom('csvImports')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('status', '=', 'discarded'),
        eb.and([eb('status', '=', 'receiving'), eb('updatedAt', '<', receivingBefore)]),
        eb.and([eb('status', 'not in', ['checking', 'applying']), eb('updatedAt', '<', before)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (!expired) return false
  const hasDeletedLines = await deleteSome(db, expired.id, 'csvImportRows', limit)
  if (!hasDeletedLines && !(await deleteSome(db, expired.id, 'csvImportKeys', limit))) {
    await db.deleteFrom('csvImports').where('id', '=', expired.id).execute()
  }
  return true
}

async function deleteSome(
  db: Db,
  importId: string,
  table: 'csvImportRows' | 'csvImportKeys',
  limit: number,
): Promise<boolean> {
  const name = table === 'csvImportRows' ? sql`csv_import_rows` : sql`csv_import_keys`
  const rowId = getEngine(db) === 'postgres' ? sql`ctid` : sql`rowid`
  const { numAffectedRows = 0n } = await sql`delete from ${name} where ${rowId} in (
    select ${rowId} from ${name} where import_id = ${importId} limit ${sql.lit(limit)})`.execute(db)
  return numAffectedRows > 0n
}
