import { listLotEvents, type LotRow } from '#db/inventory/lots.ts'
import { maxReadChanges } from '#domain/inventory/inventory-messages.ts'
import { toLotHistory, type LotHistory, type LotHistoryRow } from '#domain/inventory/lot-history.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { openLedger, walkLedger, type WalkedChange } from '../ledger/walk-ledger.ts'

/** The clocks of two processes may differ by less. */
const clockTolerance = 3600_000

/** `by` is null when the shop did it by itself, and when no name is stored: of ledger rows. */
export type LotHistoryView = Omit<LotHistory, 'rows'> & {
  rows: (LotHistoryRow & { by: string | null })[]
  /** Whether older changes of the stock were not read. */
  isCut: boolean
}

/**
 * What happened to a lot since its first receipt, as far as it is among the latest changes of the
 * variant's stock. The caller checks permissions.
 */
export async function readLotHistory(
  ctx: Context,
  { id, variantId, createdAt }: Pick<LotRow, 'id' | 'variantId' | 'createdAt'>,
  maxRead: number = maxReadChanges,
): Promise<LotHistoryView> {
  const events = await listLotEvents(ctx.db, id)
  const changes: WalkedChange[] = []
  const walk = walkLedger(ctx, await openLedger(ctx, variantId), { dir: 'desc', place: null })
  let read = 0
  let isCut = false
  for await (const change of walk) {
    if (change.at < createdAt.getTime() - clockTolerance) break
    isCut = ++read > maxRead
    if (isCut) break
    if (change.lots?.some(({ lotId }) => lotId === id)) changes.push(change)
  }
  const names = await getStaffNames(
    ctx,
    events.map(({ actorId }) => actorId),
  )
  const nameOf = (actorId: string | null): string | null =>
    actorId === null ? null : (names.get(actorId) ?? formerStaff)
  const { rows, ...history } = toLotHistory(id, events, changes)
  return {
    ...history,
    isCut,
    rows: rows.map((row) => ({ ...row, by: row.kind === 'action' ? nameOf(row.actorId) : null })),
  }
}
