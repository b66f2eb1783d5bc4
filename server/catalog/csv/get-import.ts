import {
  countChecked,
  countOutcomes,
  countToApply,
  findImport,
  firstLines,
  listImports,
  listLines,
  type CheckedLineRow,
  type CsvImportRow,
} from '#db/catalog/csv-imports.ts'
import { findMakersNamed } from '#db/catalog/variant-lookup.ts'
import {
  guessColumns,
  type ImportChanges,
  type ImportMapping,
  type ImportOutcome,
  type ImportStatus,
} from '#domain/catalog/csv-imports.ts'
import { csvLine, byteOrderMark } from '#domain/csv.ts'
import { AppError } from '#domain/errors.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import { isId } from '#domain/ids.ts'
import type { ImportLineQuery } from '#domain/catalog/import-lines.ts'
import { changedFieldLabel } from '#domain/catalog/variant-row.ts'
import { requireAdmin } from '../../require-user.ts'
import type { Context } from '../../context.ts'

const listed = 20
const previewed = 5

export type ImportSummary = {
  id: string
  fileName: string
  status: ImportStatus
  rowCount: number
  /** ISO 8601. */
  createdAt: string
}

export type ImportCounts = Record<ImportOutcome, number>

/** How far an import is. */
export type ImportProgress = {
  status: ImportStatus
  /** Of `of` lines, checked or applied. */
  done: number
  of: number
}

export type ImportView = ImportSummary & {
  header: string[]
  /** The first lines, as they stand in the file. */
  preview: string[][]
  mapping: ImportMapping
  counts: ImportCounts
  progress: ImportProgress
}

/** A field that a line changes, as one reads it. */
export type ShownChange = { field: string; before: string; after: string }

export type ImportLine = {
  /** The line's number: what tells it from the others. */
  id: string
  line: number
  outcome: ImportOutcome
  name: string | null
  variantId: string | null
  changes: ShownChange[]
  problem: string | null
  isApplied: boolean
}

const toSummary = ({ id, fileName, status, rowCount, createdAt }: CsvImportRow): ImportSummary => ({
  id,
  fileName,
  status,
  rowCount,
  createdAt: createdAt.toISOString(),
})

/** The newest imports, of every administrator. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listRecentImports(ctx: Context): Promise<ImportSummary[]> {
  requireAdmin(ctx)
  return (await listImports(ctx.db, listed)).map(toSummary)
}

/** An import with what its file holds and what the check found. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function viewImport(ctx: Context, id: string): Promise<ImportView> {
  const row = await requireImport(ctx, id)
  const header = JSON.parse(row.header) as string[]
  const [preview, counts] = await Promise.all([firstLines(ctx.db, id, previewed), countsOf(ctx, id)])
  return {
    ...toSummary(row),
    header,
    preview,
    mapping: row.mapping === null ? guessOf(header) : (JSON.parse(row.mapping) as ImportMapping),
    counts,
    progress: await progressOf(ctx, row),
  }
}

/** How far an import is. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export const readProgress = async (ctx: Context, id: string): Promise<ImportProgress> =>
  progressOf(ctx, await requireImport(ctx, id))

/** A page of the checked lines. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function listImportLines(
  ctx: Context,
  id: string,
  query: ImportLineQuery,
): Promise<GridPage<ImportLine>> {
  await requireImport(ctx, id)
  const counts = await countsOf(ctx, id)
  const outcome = query.outcome ?? null
  const total = outcome ? counts[outcome] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const page = await listLines(ctx.db, { importId: id, outcome, total }, query)
  const nameOf = await makerNames(ctx, page.rows)
  return { ...page, rows: page.rows.map((row) => toLine(row, nameOf)) }
}

/**
 * The refused lines as a CSV of the file's own columns, with the line's number and the reason behind them: to be mended and brought
 * again. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function* refusedLines(ctx: Context, id: string): AsyncGenerator<string, void> {
  const row = await requireImport(ctx, id)
  const header = JSON.parse(row.header) as string[]
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
        csvLine([
          ...fitted(JSON.parse(cells) as string[], header.length),
          line,
          (problem ?? '').replaceAll('\n', ' | '),
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (!last || rows.length < query.size) return
    after = { value: last.line, id }
  }
}

/** As many cells as there are columns, so that what stands behind them keeps its place. */
const fitted = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, place) => cells[place] ?? '')

function guessOf(header: readonly string[]): ImportMapping {
  const columns = guessColumns(header)
  return { columns, adds: columns.product !== undefined && columns.strength !== undefined, clears: false }
}

async function progressOf(ctx: Context, row: CsvImportRow): Promise<ImportProgress> {
  const { status } = row
  if (status === 'checking') return { status, done: await countChecked(ctx.db, row), of: row.rowCount }
  if (status !== 'applying') return { status, done: row.rowCount, of: row.rowCount }
  const counts = await countOutcomes(ctx.db, row.id)
  const of = counts.reduce(
    (sum, { outcome, lines }) => sum + (outcome === 'added' || outcome === 'changed' ? lines : 0),
    0,
  )
  return { status, done: of - (await countToApply(ctx.db, row.id)), of }
}

async function requireImport(ctx: Context, id: string): Promise<CsvImportRow> {
  requireAdmin(ctx)
  const row = isId(id) ? await findImport(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return row
}

async function countsOf(ctx: Context, id: string): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 }
  for (const { outcome, lines } of await countOutcomes(ctx.db, id)) counts[outcome] = lines
  return counts
}

const changesIn = (changes: string | null): ImportChanges =>
  changes === null ? {} : (JSON.parse(changes) as ImportChanges)

async function makerNames(ctx: Context, rows: readonly CheckedLineRow[]): Promise<(id: string) => string> {
  const ids = rows.flatMap(({ changes }) =>
    (changesIn(changes)['manufacturerId'] ?? []).flatMap((id) => (typeof id === 'string' ? [id] : [])),
  )
  const makers = await findMakersNamed(ctx.db, { ids: [...new Set(ids)], names: [] })
  const names = new Map(makers.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

function toLine(row: CheckedLineRow, makerName: (id: string) => string): ImportLine {
  const read = (field: string, value: string | number | boolean | null): string => {
    if (value === null || value === '') return ''
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    const text = String(value)
    if (field === 'manufacturerId') return makerName(text)
    return field === 'price' || field === 'acquisitionCost' ? `$${text}` : text
  }
  const isNew = row.outcome === 'added'
  return {
    id: String(row.line),
    line: row.line,
    outcome: row.outcome ?? 'unchanged',
    name: row.name,
    variantId: row.variantId,
    changes: Object.entries(changesIn(row.changes))
      // Of a new variant what stays empty says nothing.
      .filter(([, [, after]]) => !isNew || (after !== null && after !== ''))
      .map(([field, [before, after]]) => ({
        field: changedFieldLabel(field),
        before: read(field, before),
        after: read(field, after),
      })),
    problem: row.problem,
    isApplied: row.isApplied,
  }
}
