import { findLotByNumber, insertLotEvent, setLotStatus, type LotRow } from '#db/inventory/lots.ts'
import { changeStock, moveLot } from '#db/inventory/stock.ts'
import type { StockChange } from '#db/inventory/stock-change.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { recordStockChanges } from '../ledger/record-stock-changes.ts'
import { findLotRecall } from '../screening/find-line-recalls.ts'
import { adjustLot } from './adjust-lot.ts'

export type LotCount = Pick<LotRow, 'variantId' | 'lotNumber' | 'expiresOn'> & {
  /** What the lot held when it was counted. */
  before: number
  after: number
}

/**
 * Sets the units of a lot, in the caller's transaction: more are a purchase, fewer an adjustment. A
 * recalled lot that gains units goes into quarantine. Returns whether a tracked variant ran out or
 * came back. Throws what `adjustLot` throws, and CONFLICT when the lot or the stock has changed
 * since it was counted.
 */
export async function setLotQuantity(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  { variantId, lotNumber, expiresOn, before, after }: LotCount,
  notes: string | null,
): Promise<boolean> {
  const change = await changeStock(ctx.db, { variantId, change: after - before, now: ctx.now })
  const lot = await findLotByNumber(ctx.db, { variantId, lotNumber })
  if (!change || (lot?.quantity ?? 0) !== before) throw new AppError('CONFLICT', 'This lot has changed.')
  const adjusted = await adjustLot(ctx, change, { lotNumber, expiryDate: expiresOn })
  const lots = adjusted ? [{ lotId: adjusted.id, change: after - before }] : []
  const transactionType = after > before ? 'purchase' : 'adjustment'
  await recordStockChanges(ctx, [{ change: { ...change, lots }, transactionType, notes }])
  const held = adjusted && after > before ? await holdIfRecalled(ctx, adjusted) : null
  return change.hasAvailabilityChanged || (held?.hasAvailabilityChanged ?? false)
}

/** Puts a recalled lot into quarantine at once. Returns the change of the stock; null for none. */
async function holdIfRecalled(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  { id: lotId, variantId, lotNumber }: LotRow,
): Promise<StockChange | null> {
  const { db, now } = ctx
  const recallId = await findLotRecall(ctx, { variantId, lotNumber })
  const lot = recallId && (await setLotStatus(db, { id: lotId, from: 'available', to: 'quarantined' }))
  if (!lot) return null
  const reason = recallName(recallId)
  const change = await moveLot(db, { lotId, variantId, quantity: lot.quantity }, -1)
  if (!change) throw new Error('A lot has more units than the stock.')
  const notes = `Lot ${lotNumber} in quarantine: ${reason}`
  await recordStockChanges(ctx, [{ change, transactionType: 'adjustment', notes }])
  const event = {
    id: newId(now.getTime()),
    lotId,
    action: 'quarantined',
    reason,
    actorId: null,
    at: now,
  } as const
  await insertLotEvent(db, event)
  return change
}
