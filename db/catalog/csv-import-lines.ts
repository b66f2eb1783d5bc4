import type { ImportChanges, ImportOutcome, LineFilter } from '#domain/catalog/csv-imports.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import type { CsvImportRow } from './csv-imports.ts'
import { parseCells, parseChanges } from './json-columns.ts'

/** The lines of CSV imports. */

/** Inserts lines in one short statement. */
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

type Unchecked = Pick<CsvImportRow, 'id' | 'checkedLine'>

const linesToCheck = (db: Db, { id, checkedLine }: Unchecked) =>
  db.selectFrom('csvImportRows').where('importId', '=', id).where('line', '>', checkedLine).orderBy('line')

/** The next lines to check. */
export async function listLinesToCheck(db: Db, row: Unchecked, limit: number) {
  const rows = await linesToCheck(db, row).select(['line', 'cells', 'fault']).limit(limit).execute()
  return rows.map(({ cells, ...rest }) => ({ ...rest, cells: parseCells(cells) }))
}

/** The number of the next line to check, without parsing the line. Null when none is left. */
export async function findNextLineToCheck(db: Db, row: Unchecked): Promise<number | null> {
  return (await linesToCheck(db, row).select('line').limit(1).executeTakeFirst())?.line ?? null
}

/** The first lines, for a preview. */
export async function listFirstLines(db: Db, importId: string, limit: number): Promise<string[][]> {
  const rows = await db
    .selectFrom('csvImportRows')
    .select('cells')
    .where('importId', '=', importId)
    .orderBy('line')
    .limit(limit)
    .execute()
  return rows.map(({ cells }) => parseCells(cells))
}

/** The result of checking a line. */
export type CheckedLine = {
  line: number
  outcome: ImportOutcome
  variantId: string | null
  productId: string | null
  name: string | null
  changes: ImportChanges | null
  problem: string | null
  warning: string | null
}

/**
 * Every line already exists. As an update, SQLite would scan all lines of the import for each
 * written line, because its planner expects an import of a few rows.
 */
const onExistingLine = sql`on conflict (import_id, line) do update`

export async function saveChecked(db: Db, importId: string, lines: readonly CheckedLine[]): Promise<void> {
  const list = jsonRows(
    db,
    lines.map(({ variantId, productId, changes, ...rest }) => ({
      ...rest,
      changes: changes && JSON.stringify(changes),
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
      warning: 'text',
    },
  )
  await sql`insert into csv_import_rows (import_id, line, cells, outcome, variant_id, product_id, name, changes, problem, warning)
    select ${importId}, r.line, '', r.outcome, r.variant_id, r.product_id, r.name, r.changes, r.problem, r.warning
    from ${list} where true ${onExistingLine} set outcome = excluded.outcome, variant_id = excluded.variant_id,
      product_id = excluded.product_id, name = excluded.name, changes = excluded.changes, problem = excluded.problem,
      warning = excluded.warning, is_applied = false`.execute(db)
}

/**
 * Records the keys that lines refer to. Returns, for each key, the first line of this check that
 * has it.
 */
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

/**
 * The number of lines per outcome, and how many of them are applied or have a warning. Excludes
 * unchecked lines.
 */
export async function countOutcomes(db: Db, importId: string): Promise<OutcomeCount[]> {
  const { rows } = await sql<OutcomeCount>`
    select outcome, cast(count(*) as integer) as lines,
      cast(sum(case when is_applied then 1 else 0 end) as integer) as applied,
      cast(count(warning) as integer) as warned
    from csv_import_rows where import_id = ${importId} and outcome is not null group by outcome`.execute(db)
  return rows
}

type OutcomeCount = { outcome: ImportOutcome; lines: number; applied: number; warned: number }

/** The number of lines checked. */
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

/** The number of lines still to apply. */
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

const linesToApply = (db: Db, importId: string) =>
  db
    .selectFrom('csvImportRows')
    .where('importId', '=', importId)
    .where('outcome', 'in', ['added', 'changed'])
    .where(sql<boolean>`not is_applied`)
    .orderBy('productId')
    .orderBy('line')

/** The next lines to apply, grouped by product. */
export async function listLinesToApply(db: Db, importId: string, limit: number) {
  const rows = await linesToApply(db, importId)
    .select(['line', 'variantId', 'productId', 'changes'])
    .limit(limit)
    .execute()
  return rows.map(({ changes, ...rest }) => ({
    ...rest,
    changes: changes === null ? {} : parseChanges(changes),
  }))
}

/** The number of the next line to apply, without parsing the line. Null when none is left. */
export async function findNextLineToApply(db: Db, importId: string): Promise<number | null> {
  return (await linesToApply(db, importId).select('line').limit(1).executeTakeFirst())?.line ?? null
}

/** Records the result of applying lines: the variant's id, or the problem that prevented it. */
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
    select ${importId}, r.line, '', r.variant_id, r.problem, r.problem is null from ${list} where true ${onExistingLine} set
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
  'warning',
  'isApplied',
] as const

/** A page of the checked lines, in file order. */
export async function listLines(
  db: Db,
  { importId, outcome, total }: { importId: string; outcome: LineFilter | null; total: number },
  query: GridQuery<string>,
): Promise<GridPage<CheckedLineRow>> {
  const matching = db
    .selectFrom('csvImportRows')
    .select(lineColumns)
    .where('importId', '=', importId)
    .$if(outcome === 'warned', (query) => query.where('warning', 'is not', null))
    .where((eb) => eb.and(outcome === null || outcome === 'warned' ? [] : [eb('outcome', '=', outcome)]))
    .$if(outcome === null, (query) => query.where('outcome', 'is not', null))
  const page = await keysetPage(
    matching,
    { by: sql`line`, id: sql`import_id` },
    query,
    Promise.resolve(total),
  )
  return {
    ...page,
    rows: page.rows.map(({ cells, changes, ...row }) => ({
      ...row,
      cells: parseCells(cells),
      changes: changes === null ? {} : parseChanges(changes),
    })),
  }
}

export type CheckedLineRow = {
  line: number
  cells: string[]
  outcome: ImportOutcome | null
  variantId: string | null
  name: string | null
  changes: ImportChanges
  problem: string | null
  warning: string | null
  isApplied: boolean
}
