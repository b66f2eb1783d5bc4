import type { ImportOutcome, ImportStatus } from '#domain/catalog/csv-imports.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import { sql } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { keysetPage } from '../engine/keyset.ts'

/** Imports of an administrator's files, and their lines. */

export type CsvImportRow = {
  id: string
  actorId: string
  fileName: string
  status: ImportStatus
  header: string
  mapping: string | null
  rowCount: number
  checkedLine: number
  round: number
  requestId: string | null
  createdAt: Date
  updatedAt: Date
}

export async function insertImport(
  db: Db,
  said: Pick<CsvImportRow, 'id' | 'actorId' | 'fileName' | 'header'> & { now: Date },
): Promise<void> {
  const { now, ...row } = said
  await db
    .insertInto('csvImports')
    .values({ ...row, status: 'receiving', createdAt: now, updatedAt: now })
    .execute()
}

/** Adds lines, in their own short transaction. */
export async function insertImportLines(
  db: Db,
  importId: string,
  lines: readonly { line: number; cells: readonly string[]; fault: string | null }[],
): Promise<void> {
  const list = jsonRows(
    db,
    lines.map(({ line, cells, fault }) => ({ line, cells: JSON.stringify(cells), fault })),
    { line: 'integer', cells: 'text', fault: 'text' },
  )
  await sql`insert into csv_import_rows (import_id, line, cells, fault)
    select ${importId}, r.line, r.cells, r.fault from ${list}`.execute(db)
}

const shown = (db: Db) => db.selectFrom('csvImports').where('status', 'not in', ['receiving', 'discarded'])

/** An import, or null when there is none or it is on its way out. */
export async function findImport(db: Db, id: string): Promise<CsvImportRow | null> {
  return (await shown(db).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** The same, taken for this transaction: one at a time goes on with it. SQLite has one writer. */
export async function lockImport(db: Db, id: string): Promise<CsvImportRow | null> {
  let query = shown(db).selectAll().where('id', '=', id)
  if (engineOf(db) === 'postgres') query = query.forUpdate()
  return (await query.executeTakeFirst()) ?? null
}

/** The newest imports. */
export const listImports = (db: Db, limit: number): Promise<CsvImportRow[]> =>
  shown(db).selectAll().orderBy('id', 'desc').limit(limit).execute()

/** The imports that something is to be done about, whoever asked for it. */
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
    ...changes
  }: { id: string; now: Date } & Partial<
    Pick<CsvImportRow, 'status' | 'mapping' | 'rowCount' | 'checkedLine' | 'round' | 'requestId'>
  >,
): Promise<void> {
  await db
    .updateTable('csvImports')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** The next lines that this check has not looked at. */
export const listLinesToCheck = (
  db: Db,
  { id, checkedLine }: Pick<CsvImportRow, 'id' | 'checkedLine'>,
  limit: number,
) =>
  db
    .selectFrom('csvImportRows')
    .select(['line', 'cells', 'fault'])
    .where('importId', '=', id)
    .where('line', '>', checkedLine)
    .orderBy('line')
    .limit(limit)
    .execute()

/** The first lines, to show what a file holds. */
export async function listFirstLines(db: Db, importId: string, limit: number): Promise<string[][]> {
  const rows = await db
    .selectFrom('csvImportRows')
    .select('cells')
    .where('importId', '=', importId)
    .orderBy('line')
    .limit(limit)
    .execute()
  return rows.map(({ cells }) => JSON.parse(cells) as string[])
}

/** What a check found of a line; texts of JSON. */
export type CheckedLine = {
  line: number
  outcome: ImportOutcome
  variantId: string | null
  productId: string | null
  name: string | null
  changes: string | null
  problem: string | null
}

/**
 * Every line is there already. Written as an update, SQLite would look through all lines of the import for each one that is written: it
 * takes an import for a few rows.
 */
const onKnownLine = sql`on conflict (import_id, line) do update`

export async function saveChecked(db: Db, importId: string, lines: readonly CheckedLine[]): Promise<void> {
  const list = jsonRows(
    db,
    lines.map(({ variantId, productId, ...rest }) => ({
      ...rest,
      variant_id: variantId,
      product_id: productId,
    })),
    {
      line: 'integer',
      outcome: 'text',
      variant_id: 'text',
      product_id: 'text',
      name: 'text',
      changes: 'text',
      problem: 'text',
    },
  )
  await sql`insert into csv_import_rows (import_id, line, cells, outcome, variant_id, product_id, name, changes, problem)
    select ${importId}, r.line, '', r.outcome, r.variant_id, r.product_id, r.name, r.changes, r.problem
    from ${list} where true ${onKnownLine} set outcome = excluded.outcome, variant_id = excluded.variant_id,
      product_id = excluded.product_id, name = excluded.name, changes = excluded.changes, problem = excluded.problem,
      is_applied = false`.execute(db)
}

/** Remembers what lines name; returns, for each key, the first line of this check that has it. */
export async function claimKeys(
  db: Db,
  { id, round }: Pick<CsvImportRow, 'id' | 'round'>,
  keys: readonly { key: string; line: number }[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const list = jsonRows(db, keys, { key: 'text', line: 'integer' })
  await sql`insert into csv_import_keys (import_id, round, key, line)
    select ${id}, ${sql.lit(round)}, r.key, min(r.line) from ${list} where true group by r.key
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ key: string; line: number }>`
    select k.key, k.line from (select distinct key from ${list}) l
    join csv_import_keys k on k.import_id = ${id} and k.round = ${sql.lit(round)} and k.key = l.key`.execute(
    db,
  )
  return new Map(rows.map(({ key, line }) => [key, line]))
}

/** How many lines came to what, and how many of them are applied; of what is not checked yet, nothing. */
export async function countOutcomes(
  db: Db,
  importId: string,
): Promise<{ outcome: ImportOutcome; lines: number; applied: number }[]> {
  const { rows } = await sql<{ outcome: ImportOutcome; lines: number; applied: number }>`
    select outcome, cast(count(*) as integer) as lines,
      cast(sum(case when is_applied then 1 else 0 end) as integer) as applied
    from csv_import_rows where import_id = ${importId} and outcome is not null group by outcome`.execute(db)
  return rows
}

/** How many lines a check has looked at. */
export async function countChecked(
  db: Db,
  { id, checkedLine }: Pick<CsvImportRow, 'id' | 'checkedLine'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('csvImportRows')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('importId', '=', id)
    .where('line', '<=', checkedLine)
    .executeTakeFirstOrThrow()
  return count
}

/** How many lines are still to be applied. */
export async function countToApply(db: Db, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('csvImportRows')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('importId', '=', importId)
    .where('outcome', 'in', ['added', 'changed'])
    .where(sql<boolean>`not is_applied`)
    .executeTakeFirstOrThrow()
  return count
}

/** The next lines to apply, those of one product together. */
export const listLinesToApply = (db: Db, importId: string, limit: number) =>
  db
    .selectFrom('csvImportRows')
    .select(['line', 'outcome', 'variantId', 'productId', 'changes'])
    .where('importId', '=', importId)
    .where('outcome', 'in', ['added', 'changed'])
    .where(sql<boolean>`not is_applied`)
    .orderBy('productId')
    .orderBy('line')
    .limit(limit)
    .execute()

/** Notes what became of lines: applied, as the variant of that id, or with a problem not. */
export async function saveApplied(
  db: Db,
  importId: string,
  lines: readonly { line: number; variantId: string | null; problem: string | null }[],
): Promise<void> {
  const list = jsonRows(
    db,
    lines.map(({ line, variantId, problem }) => ({ line, variant_id: variantId, problem })),
    { line: 'integer', variant_id: 'text', problem: 'text' },
  )
  await sql`insert into csv_import_rows (import_id, line, cells, variant_id, problem, is_applied)
    select ${importId}, r.line, '', r.variant_id, r.problem, r.problem is null from ${list} where true ${onKnownLine} set
      is_applied = excluded.is_applied, problem = excluded.problem,
      variant_id = coalesce(excluded.variant_id, csv_import_rows.variant_id),
      outcome = case when excluded.problem is null then csv_import_rows.outcome else 'refused' end`.execute(
    db,
  )
}

const lineColumns = [
  'line',
  'cells',
  'outcome',
  'variantId',
  'name',
  'changes',
  'problem',
  'isApplied',
] as const

/** A page of the checked lines, in the file's order. */
export function listLines(
  db: Db,
  { importId, outcome, total }: { importId: string; outcome: ImportOutcome | null; total: number },
  query: GridQuery<string>,
): Promise<GridPage<CheckedLineRow>> {
  const matching = db
    .selectFrom('csvImportRows')
    .select(lineColumns)
    .where('importId', '=', importId)
    .$if(outcome !== null, (query) => query.where('outcome', '=', outcome))
    .$if(outcome === null, (query) => query.where('outcome', 'is not', null))
  return keysetPage(matching, { by: sql`line`, id: sql`import_id` }, query, Promise.resolve(total))
}

export type CheckedLineRow = {
  line: number
  cells: string
  outcome: ImportOutcome | null
  variantId: string | null
  name: string | null
  changes: string | null
  problem: string | null
  isApplied: boolean
}

/** Deletes some of what was discarded, left behind half received, or has lain too long; true when there is more. */
export async function deleteSomeImports(
  db: Db,
  { receivingBefore, before, limit }: { receivingBefore: Date; before: Date; limit: number },
): Promise<boolean> {
  const gone = await db
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
  if (!gone) return false
  const left = await deleteSome(db, gone.id, 'csvImportRows', limit)
  if (!left && !(await deleteSome(db, gone.id, 'csvImportKeys', limit))) {
    await db.deleteFrom('csvImports').where('id', '=', gone.id).execute()
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
  const place = engineOf(db) === 'postgres' ? sql`ctid` : sql`rowid`
  const { numAffectedRows = 0n } = await sql`delete from ${name} where ${place} in (
    select ${place} from ${name} where import_id = ${importId} limit ${sql.lit(limit)})`.execute(db)
  return numAffectedRows > 0n
}
