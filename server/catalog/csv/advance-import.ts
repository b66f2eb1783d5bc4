import { lockImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import { withSavepoint } from '#db/engine/sql.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { toAppError } from '../../errors.ts'
import { applySomeLines, rejectNextToApply } from './apply-lines.ts'
import { checkSomeLines, rejectNextToCheck } from './check-lines.ts'

/**
 * Lines per transaction. When a transaction fails the next one takes a quarter, until the failing
 * line is isolated.
 */
const maxLines = 256

/**
 * Continues checking or applying an import, a few lines per transaction, until nothing is left, the
 * time is up or `signal` aborts. Several processes may call it at once: they take turns by locking
 * the import's row. A line that causes an internal error is rejected, and the others continue.
 * Transient failures (an unavailable database) are thrown, to be retried later.
 */
export async function advanceImport(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'log'>,
  id: string,
  { untilMs = Infinity, signal }: { untilMs?: number; signal?: AbortSignal },
): Promise<void> {
  let hasMore = true
  let limit = maxLines
  const isStopped = () => signal?.aborted === true || Date.now() >= untilMs
  while (hasMore && !isStopped()) {
    try {
      hasMore = await ctx.db.transaction().execute(async (db) => {
        const row = await lockImport(db, id)
        if (!row) return false
        // Each transaction of a long import has its own time.
        const now = new Date(Math.max(ctx.now.getTime(), Date.now()))
        const lineCtx = { ...ctx, db, now }
        return limit > 1 ? processLines(lineCtx, row, limit) : processOneLine(lineCtx, row)
      })
      limit = Math.min(limit * 4, maxLines)
    } catch (error) {
      if (limit === 1 || isTransient(error)) throw error
      limit /= 4
    }
    await yieldToEventLoop()
  }
}

const isTransient = (error: unknown): boolean => toAppError(error).code !== 'INTERNAL'

type LineContext = Pick<Context, 'db' | 'keys' | 'log' | 'now'>

/** Returns false when nothing is left. */
async function processLines(
  { db, keys, now }: LineContext,
  row: CsvImportRow,
  limit: number,
): Promise<boolean> {
  if (row.status === 'checking') {
    const { mapping } = row
    if (mapping === null) throw new Error('An import that is being checked must have a mapping.')
    return checkSomeLines(db, row, { mapping, now, limit })
  }
  return row.status === 'applying' && applySomeLines({ db, keys, now }, row, limit)
}

/** Processes a single line, and rejects it when it fails. */
async function processOneLine(ctx: LineContext, row: CsvImportRow): Promise<boolean> {
  const { db, log, now } = ctx
  const outcome = await withSavepoint(db, () => processLines(ctx, row, 1))
  if (!outcome.failed) return outcome.result
  if (isTransient(outcome.error)) throw outcome.error
  const line =
    row.status === 'checking' ? await rejectNextToCheck(db, row, now) : await rejectNextToApply(db, row, now)
  if (line === null) throw outcome.error
  log.error({ err: outcome.error, importId: row.id, line }, 'import line failed')
  return true
}
