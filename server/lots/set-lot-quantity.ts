import { findLotByNumber, type LotRow } from '#db/inventory/lots.ts'
import { changeStock } from '#db/inventory/stock.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { recordStockChanges } from '../ledger/record-stock-changes.ts'
import { adjustLot } from './adjust-lot.ts'

export type LotCount = Pick<LotRow, 'variantId' | 'lotNumber' | 'expiresOn'> & {
  /** What the lot held when it was counted. */
  before: number
  after: number
}

/**
 * Sets the units of a lot, in the caller's transaction: more are a purchase, fewer an adjustment.
 * Returns whether a tracked variant ran out or came back. Throws what `adjustLot` throws, and
 * CONFLICT when the lot or the stock has changed since it was counted.
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
  return change.hasAvailabilityChanged
}
