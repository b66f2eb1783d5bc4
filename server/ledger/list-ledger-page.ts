import { countPlainRows } from '#db/ledger/plain-rows.ts'
import { countListedRows } from '#db/ledger/sealed-rows.ts'
import { formatCursor, type GridPage, type GridQuery } from '#domain/grid.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { findLedgerPlace, openLedger, walkLedger, type LedgerPlace, type OpenLedger } from './walk-ledger.ts'

/** A page of a grid over the ledger: `keysetPage` for rows that SQL cannot sort. */
export async function listLedgerPage(
  ctx: Pick<Context, 'db' | 'keys'>,
  { variantId, dir, after, before, last, size }: GridQuery<string> & { variantId: string | null },
): Promise<GridPage<LedgerChange>> {
  const ledger = await openLedger(ctx, variantId)
  const isBackward = last !== undefined || before !== undefined
  const cursor = last === undefined ? (before ?? after) : undefined
  // A cursor of another list or of a deleted row is ignored.
  const place = cursor ? await findLedgerPlace(ctx, ledger, cursor.id) : null
  const walkDir = (dir === 'asc') === isBackward ? 'desc' : 'asc'
  const [found, total] = [
    await readChanges(ctx, ledger, { dir: walkDir, place, limit: size + 1 }),
    countRows(ctx, ledger),
  ]
  const isMore = found.length > size
  const rows = found.slice(0, size)
  if (isBackward) rows.reverse()
  const hasNext = isBackward ? place !== null : isMore
  const hasPrevious = isBackward ? isMore : place !== null
  const cursorOf = (row: LedgerChange | undefined): string | null =>
    row ? formatCursor({ value: 0, id: row.id }) : null
  return {
    rows,
    total: await total,
    next: hasNext ? cursorOf(rows.at(-1)) : null,
    previous: hasPrevious ? cursorOf(rows[0]) : null,
  }
}

/** The next changes after a place, or from the start. */
export async function readChanges(
  ctx: Pick<Context, 'db' | 'keys'>,
  ledger: OpenLedger,
  { dir, place, limit }: { dir: 'asc' | 'desc'; place: LedgerPlace | null; limit: number },
): Promise<LedgerChange[]> {
  const changes: LedgerChange[] = []
  for await (const change of walkLedger(ctx, ledger, { dir, place })) {
    changes.push(change)
    if (changes.length === limit) break
  }
  return changes
}

async function countRows(
  { db }: Pick<Context, 'db'>,
  { variantId, variantHash, inbox }: OpenLedger,
): Promise<number> {
  const [plain, sealed] = await Promise.all([countPlainRows(db, variantId), countListedRows(db, variantHash)])
  return plain + sealed + inbox.length
}
