import { countOutcomes } from '#db/catalog/csv-import-lines.ts'
import { lockImport, updateImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { keyFields, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requirePermission } from '../../require-user.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { inTransaction, type Context } from '../../context.ts'
import { advanceImport } from './advance-import.ts'

/** How long a request continues the work it started. A job finishes the rest. */
const maxRequestMs = 1200

/**
 * Sets the column mapping and checks what each line would do. May be called again after changes. A
 * small file is fully checked when this returns. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND,
 * INVALID (columns), and CONFLICT once the import is being applied.
 */
export async function checkImport(ctx: Context, id: string, mapping: ImportMapping): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (!['received', 'checking', 'checked'].includes(row.status)) throw alreadyApplied(row)
    const problem = mappingProblem(mapping, row.header)
    if (problem) throw new AppError('INVALID', undefined, { fields: { columns: problem } })
    await updateImport(ctx.db, {
      id,
      status: 'checking',
      mapping,
      checkedLine: 0,
      round: row.round + 1,
      now: ctx.now,
    })
  })
  await advanceImport(ctx, id, { untilMs: Date.now() + maxRequestMs })
}

/**
 * Applies a checked import. Rejected lines block it unless `leavesOut` is set, and so does a check
 * newer than `round`, the one that the admin saw. A small file is fully applied when this returns;
 * for a larger one a job applies the rest, even after a crash. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, CONFLICT.
 */
export async function applyImport(
  ctx: Context,
  id: string,
  { leavesOut, round }: { leavesOut: boolean; round?: number | undefined },
): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (row.status === 'applying' || row.status === 'applied') return
    if (row.status !== 'checked')
      throw new AppError('CONFLICT', 'The file hasn’t been checked yet. Check it first.')
    if (round !== undefined && round !== row.round)
      throw new AppError(
        'CONFLICT',
        'The file was checked again after you opened it. Review its changes, then apply it.',
      )
    const counts = new Map((await countOutcomes(ctx.db, id)).map(({ outcome, lines }) => [outcome, lines]))
    const refused = counts.get('refused') ?? 0
    if (refused > 0 && !leavesOut) {
      throw new AppError(
        'CONFLICT',
        `${refused} ${refused === 1 ? 'line is' : 'lines are'} rejected, so nothing was applied. Correct the file or choose to skip them.`,
      )
    }
    if ((counts.get('added') ?? 0) + (counts.get('changed') ?? 0) === 0) {
      throw new AppError('CONFLICT', 'This file doesn’t change anything.')
    }
    await updateImport(ctx.db, { id, status: 'applying', requestId: ctx.requestId, now: ctx.now })
    await recordAudit(ctx, { action: 'variants.imported', subjectId: shopSubjectId, objectId: id })
  })
  await advanceImport(ctx, id, { untilMs: Date.now() + maxRequestMs })
}

/**
 * Discards the file. Lines already applied stay. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and
 * CONFLICT while it is being applied.
 */
export async function discardImport(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (row.status === 'applying') throw alreadyApplied(row)
    await updateImport(ctx.db, { id, status: 'discarded', now: ctx.now })
  })
}

const alreadyApplied = ({ status }: CsvImportRow): AppError =>
  new AppError(
    'CONFLICT',
    status === 'applied' ? 'This file has already been applied.' : 'This file is already being applied.',
  )

async function requireImport(ctx: Context, id: string): Promise<CsvImportRow> {
  const row = isId(id) ? await lockImport(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return row
}

/** Why a mapping is invalid, or null. */
function mappingProblem({ columns }: ImportMapping, header: readonly string[]): string | null {
  const indexes = Object.values(columns)
  if (indexes.some((index) => index >= header.length)) return 'The file doesn’t have this column.'
  if (new Set(indexes).size < indexes.length)
    return 'Two columns are mapped to the same field. Use each field only once.'
  if (!keyFields.some((field) => columns[field] !== undefined))
    return 'Choose the column that identifies the variant: ID, NDC, DIN, UPC or SKU.'
  return indexes.length > 1 ? null : 'Choose at least one column to change.'
}
