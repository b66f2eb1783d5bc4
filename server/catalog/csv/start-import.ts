import { countOutcomes, lockImport, updateImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import { shopItself } from '#domain/audit/audit.ts'
import { keyFields, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireAdmin } from '../../require-user.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { inTransaction, type Context } from '../../context.ts'
import { advanceImport } from './advance-import.ts'

/** How long a request goes on with what it began; what takes longer a job ends. */
const atOnceMs = 1200

/**
 * Says which column says what, and checks what each line would do; again, too, when something has changed since. A small file is checked
 * when this ends. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (columns), and CONFLICT once the import is being applied.
 */
export async function checkImport(ctx: Context, id: string, mapping: ImportMapping): Promise<void> {
  requireAdmin(ctx)
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (!['received', 'checking', 'checked'].includes(row.status)) throw alreadyApplied()
    const problem = problemOf(mapping, JSON.parse(row.header) as string[])
    if (problem) throw new AppError('INVALID', undefined, { fields: { columns: problem } })
    await updateImport(ctx.db, {
      id,
      status: 'checking',
      mapping: JSON.stringify(mapping),
      checkedLine: 0,
      round: row.round + 1,
      now: ctx.now,
    })
  })
  await advanceImport(ctx, id, { untilMs: Date.now() + atOnceMs })
}

/**
 * Applies what the check found. Lines that it refused stand against that unless `leavesOut` says so. A small file is applied when this
 * ends; of a larger one a job applies what is left, whatever ends this process. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, CONFLICT.
 */
export async function applyImport(
  ctx: Context,
  id: string,
  { leavesOut }: { leavesOut: boolean },
): Promise<void> {
  requireAdmin(ctx)
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (row.status === 'applying' || row.status === 'applied') return
    if (row.status !== 'checked') throw new AppError('CONFLICT', 'The file is not checked yet.')
    const counts = new Map((await countOutcomes(ctx.db, id)).map(({ outcome, lines }) => [outcome, lines]))
    const refused = counts.get('refused') ?? 0
    if (refused > 0 && !leavesOut) {
      throw new AppError(
        'CONFLICT',
        `${refused} ${refused === 1 ? 'line is' : 'lines are'} refused. Nothing was applied: mend the file, or say that they are left out.`,
      )
    }
    if ((counts.get('added') ?? 0) + (counts.get('changed') ?? 0) === 0) {
      throw new AppError('CONFLICT', 'No line changes anything.')
    }
    await updateImport(ctx.db, { id, status: 'applying', requestId: ctx.requestId, now: ctx.now })
    await recordAudit(ctx, { action: 'variants.imported', subjectId: shopItself, objectId: id })
  })
  await advanceImport(ctx, id, { untilMs: Date.now() + atOnceMs })
}

/** Throws the file away. What it has applied stays. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, CONFLICT while it is being applied. */
export async function discardImport(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx)
  await inTransaction(ctx, async (ctx) => {
    const row = await requireImport(ctx, id)
    if (row.status === 'applying') throw alreadyApplied()
    await updateImport(ctx.db, { id, status: 'discarded', now: ctx.now })
  })
}

const alreadyApplied = (): AppError => new AppError('CONFLICT', 'This file is being applied already.')

async function requireImport(ctx: Context, id: string): Promise<CsvImportRow> {
  const row = isId(id) ? await lockImport(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return row
}

/** Why columns cannot be meant so. */
function problemOf({ columns }: ImportMapping, header: readonly string[]): string | null {
  const places = Object.values(columns)
  if (places.some((place) => place >= header.length)) return 'The file has no such column.'
  if (new Set(places).size < places.length) return 'A column can say one thing only.'
  if (!keyFields.some((field) => columns[field] !== undefined))
    return 'Choose the column that names the variant: its id, NDC, DIN, UPC or SKU.'
  return places.length > 1 ? null : 'Choose at least one column that says something of the variant.'
}
