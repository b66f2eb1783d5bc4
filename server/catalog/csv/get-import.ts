import {
  countChecked,
  countOutcomes,
  countToApply,
  listFirstLines,
  listLines,
  type CheckedLineRow,
} from '#db/catalog/csv-import-lines.ts'
import { findImport, listImports as listRows, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import { findManufacturersByIdOrName } from '#db/catalog/variant-lookup.ts'
import {
  guessColumns,
  type ImportMapping,
  type ImportOutcome,
  type ImportStatus,
} from '#domain/catalog/csv-imports.ts'
import { csvLine, byteOrderMark } from '#domain/csv.ts'
import { AppError } from '#domain/errors.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import { isId } from '#domain/ids.ts'
import type { ImportLineQuery } from '#domain/catalog/import-lines.ts'
import type { ImportQuery } from '#domain/catalog/import-list.ts'
import { changedFieldLabel } from '#domain/catalog/variant-row-values.ts'
import { requirePermission } from '../../require-user.ts'
import type { Context } from '../../context.ts'

const previewLines = 5

export type ImportSummary = {
  id: string
  fileName: string
  status: ImportStatus
  rowCount: number
  /** ISO 8601. */
  createdAt: string
}

export type ImportCounts = Record<ImportOutcome, number>

/** The progress of an import. */
export type ImportProgress = {
  status: ImportStatus
  /** Of `total` lines, checked or applied. */
  done: number
  total: number
}

export type ImportDetails = ImportSummary & {
  header: string[]
  /** The first lines of the file. */
  preview: string[][]
  mapping: ImportMapping
  /** The number of the check: an admin applies the check that the page shows, not a later one. */
  round: number
  counts: ImportCounts
  /** Lines with a warning. */
  warned: number
  progress: ImportProgress
}

/** A field that a line changes, formatted for display. */
export type DisplayedChange = { field: string; before: string; after: string }

export type ImportLine = {
  /** The line number, as the grid's row id. */
  id: string
  line: number
  outcome: ImportOutcome
  name: string | null
  variantId: string | null
  changes: DisplayedChange[]
  problem: string | null
  /** What to check before the line is applied, a sentence per line. */
  warning: string | null
  isApplied: boolean
}

type SummaryRow = Pick<CsvImportRow, 'id' | 'fileName' | 'status' | 'rowCount' | 'createdAt'>

const toSummary = ({ id, fileName, status, rowCount, createdAt }: SummaryRow): ImportSummary => ({
  id,
  fileName,
  status,
  rowCount,
  createdAt: createdAt.toISOString(),
})

/** A page of the imports of all admins. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listImports(ctx: Context, query: ImportQuery): Promise<GridPage<ImportSummary>> {
  requirePermission(ctx, 'catalog.write')
  const page = await listRows(ctx.db, query)
  return { ...page, rows: page.rows.map(toSummary) }
}

/**
 * An import with its file's contents and the results of the check. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND.
 */
export async function getImport(ctx: Context, id: string): Promise<ImportDetails> {
  const row = await requireImport(ctx, id)
  const { header, mapping, round } = row
  const [preview, { counts, warned }] = await Promise.all([
    listFirstLines(ctx.db, id, previewLines),
    readCounts(ctx, id),
  ])
  return {
    ...toSummary(row),
    header,
    preview,
    mapping: mapping ?? guessMapping(header),
    round,
    counts,
    warned,
    progress: await readProgress(ctx, row),
  }
}

/** The progress of an import. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export const getImportProgress = async (ctx: Context, id: string): Promise<ImportProgress> =>
  readProgress(ctx, await requireImport(ctx, id))

/** A page of the checked lines. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function listImportLines(
  ctx: Context,
  id: string,
  query: ImportLineQuery,
): Promise<GridPage<ImportLine>> {
  await requireImport(ctx, id)
  const { counts, warned } = await readCounts(ctx, id)
  const outcome = query.outcome ?? null
  const all = { ...counts, warned }
  const total = outcome ? all[outcome] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const page = await listLines(ctx.db, { importId: id, outcome, total }, query)
  const nameOf = await findManufacturerNames(ctx, page.rows)
  return { ...page, rows: page.rows.map((row) => toLine(row, nameOf)) }
}

/**
 * The rejected lines as a CSV with the file's own columns, the line number and the reason, to be
 * corrected and uploaded again. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function* streamRejectedLines(ctx: Context, id: string): AsyncGenerator<string, void> {
  const { header } = await requireImport(ctx, id)
  yield byteOrderMark + csvLine([...header, 'Line', 'Problem'])
  const query: GridQuery<'line'> = { q: '', sort: 'line', dir: 'asc', size: 500 }
  let after: GridQuery<'line'>['after']
  for (;;) {
    const { rows } = await listLines(
      ctx.db,
      { importId: id, outcome: 'refused', total: 0 },
      { ...query, after },
    )
    yield rows
      .map(({ cells, line, problem }) =>
        csvLine([...padCells(cells, header.length), line, (problem ?? '').replaceAll('\n', ' | ')]),
      )
      .join('')
    const last = rows.at(-1)
    if (!last || rows.length < query.size) return
    after = { value: last.line, id }
  }
}

/** Pads or cuts the cells to the number of columns, so that the added columns line up. */
const padCells = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => cells[index] ?? '')

function guessMapping(header: readonly string[]): ImportMapping {
  const columns = guessColumns(header)
  return { columns, adds: columns.product !== undefined && columns.strength !== undefined, clears: false }
}

async function readProgress(ctx: Context, row: CsvImportRow): Promise<ImportProgress> {
  const { status } = row
  if (status === 'checking') return { status, done: await countChecked(ctx.db, row), total: row.rowCount }
  if (status !== 'applying') return { status, done: row.rowCount, total: row.rowCount }
  const counts = await countOutcomes(ctx.db, row.id)
  const total = counts.reduce(
    (sum, { outcome, lines }) => sum + (outcome === 'added' || outcome === 'changed' ? lines : 0),
    0,
  )
  return { status, done: total - (await countToApply(ctx.db, row.id)), total }
}

async function requireImport(ctx: Context, id: string): Promise<CsvImportRow> {
  requirePermission(ctx, 'catalog.write')
  const row = isId(id) ? await findImport(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return row
}

async function readCounts(ctx: Context, id: string): Promise<Pick<ImportDetails, 'counts' | 'warned'>> {
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 }
  const rows = await countOutcomes(ctx.db, id)
  for (const { outcome, lines } of rows) counts[outcome] = lines
  return { counts, warned: rows.reduce((sum, row) => sum + row.warned, 0) }
}

async function findManufacturerNames(
  ctx: Context,
  rows: readonly CheckedLineRow[],
): Promise<(id: string) => string> {
  const ids = rows.flatMap(({ changes }) =>
    (changes['manufacturerId'] ?? []).flatMap((id) => (typeof id === 'string' ? [id] : [])),
  )
  const manufacturers = await findManufacturersByIdOrName(ctx.db, { ids: [...new Set(ids)], names: [] })
  const names = new Map(manufacturers.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

function toLine(row: CheckedLineRow, manufacturerName: (id: string) => string): ImportLine {
  const display = (field: string, value: string | number | boolean | null): string => {
    if (value === null || value === '') return ''
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    const text = String(value)
    if (field === 'manufacturerId') return manufacturerName(text)
    return field === 'price' || field === 'acquisitionCost' ? `$${text}` : text
  }
  const isNew = row.outcome === 'added'
  return {
    id: String(row.line),
    line: row.line,
    outcome: row.outcome ?? 'unchanged',
    name: row.name,
    variantId: row.variantId,
    changes: Object.entries(row.changes)
      // A new variant's empty fields are not changes.
      .filter(([, [, after]]) => !isNew || (after !== null && after !== ''))
      .map(([field, [before, after]]) => ({
        field: changedFieldLabel(field),
        before: display(field, before),
        after: display(field, after),
      })),
    problem: row.problem,
    warning: row.warning,
    isApplied: row.isApplied,
  }
}
