import { lockImport } from '#db/csv-imports.ts'
import type { ImportMapping } from '#domain/csv-imports.ts'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { applySomeLines } from './apply-lines.ts'
import { checkSomeLines } from './check-lines.ts'

/**
 * Goes on with the check or the application of an import, some lines at a time, each in a short transaction of its own, until nothing is
 * left, the time is up or `signal` says stop. Several processes may do so at once: the import's row makes them take turns.
 */
export async function advanceImport(
  ctx: Pick<Context, 'db' | 'now'>,
  id: string,
  { untilMs = Infinity, signal }: { untilMs?: number; signal?: AbortSignal },
): Promise<void> {
  let isMore = true
  const isStopped = () => signal?.aborted === true || Date.now() >= untilMs
  while (isMore && !isStopped()) {
    isMore = await ctx.db.transaction().execute(async (db) => {
      const row = await lockImport(db, id)
      if (!row) return false
      // A long import has no one moment: each round is of its own.
      const now = new Date(Math.max(ctx.now.getTime(), Date.now()))
      if (row.status === 'checking') return checkSomeLines(db, row, mappingOf(row.mapping), now)
      return row.status === 'applying' && applySomeLines(db, row, now)
    })
    await othersTurn()
  }
}

const mappingOf = (text: string | null): ImportMapping => {
  if (text === null) throw new Error('An import is checked by what its columns say.')
  return JSON.parse(text) as ImportMapping
}
