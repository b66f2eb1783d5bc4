import { lockImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import type { Db } from '#db/engine/client.ts'
import { undoneWhenFailed } from '#db/engine/sql.ts'
import type { ImportMapping } from '#domain/catalog/csv-imports.ts'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { toAppError } from '../../errors.ts'
import { applySomeLines, refuseToApply } from './apply-lines.ts'
import { checkSomeLines, refuseUnchecked } from './check-lines.ts'

/** Lines of a round, and of the next when one of them fails: a quarter, until it is known which one it was. */
const mostLines = 256

/**
 * Goes on with the check or the application of an import, some lines at a time, each time in a short transaction of its own, until nothing is
 * left, the time is up or `signal` says stop. Several processes may do so at once: the import's row makes them take turns. A line of which
 * the shop itself fails is refused, and the others go on; what passes (a database that is away) is thrown, for another time.
 */
export async function advanceImport(
  ctx: Pick<Context, 'db' | 'now' | 'log'>,
  id: string,
  { untilMs = Infinity, signal }: { untilMs?: number; signal?: AbortSignal },
): Promise<void> {
  let isMore = true
  let most = mostLines
  const isStopped = () => signal?.aborted === true || Date.now() >= untilMs
  while (isMore && !isStopped()) {
    try {
      isMore = await ctx.db.transaction().execute(async (db) => {
        const row = await lockImport(db, id)
        if (!row) return false
        // A long import has no one moment: each round is of its own.
        const now = new Date(Math.max(ctx.now.getTime(), Date.now()))
        return most > 1 ? someLines(db, row, { now, most }) : oneLine({ ...ctx, db }, row, now)
      })
      most = Math.min(most * 4, mostLines)
    } catch (error) {
      if (most === 1 || isPassing(error)) throw error
      most /= 4
    }
    await othersTurn()
  }
}

const isPassing = (error: unknown): boolean => toAppError(error).code !== 'INTERNAL'

/** Returns false when nothing is left. */
async function someLines(
  db: Db,
  row: CsvImportRow,
  { now, most }: { now: Date; most: number },
): Promise<boolean> {
  if (row.status === 'checking')
    return checkSomeLines(db, row, { mapping: mappingOf(row.mapping), now, most })
  return row.status === 'applying' && applySomeLines(db, row, { now, most })
}

/** The same of a single line, which is refused when it fails. */
async function oneLine(
  { db, log }: Pick<Context, 'db' | 'log'>,
  row: CsvImportRow,
  now: Date,
): Promise<boolean> {
  const outcome = await undoneWhenFailed(db, () => someLines(db, row, { now, most: 1 }))
  if (!outcome.failed) return outcome.result
  if (isPassing(outcome.error)) throw outcome.error
  const line =
    row.status === 'checking' ? await refuseUnchecked(db, row, now) : await refuseToApply(db, row, now)
  if (line === null) throw outcome.error
  log.error({ err: outcome.error, importId: row.id, line }, 'a line of an import failed')
  return true
}

const mappingOf = (text: string | null): ImportMapping => {
  if (text === null) throw new Error('An import is checked by what its columns say.')
  return JSON.parse(text) as ImportMapping
}
