import { changeStock, findStock } from '#db/inventory/stock.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxStock, type InventoryTransaction } from '#domain/inventory/inventory.ts'
import type { Adjustment } from '#domain/inventory/stock-adjustment.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { recordStock } from './record-stock.ts'

/**
 * Adds to or subtracts from a variant's stock and returns the ledger row. An adjustment may take
 * reserved stock: damaged units are gone, and a paid checkout without stock is refunded. Throws
 * UNAUTHENTICATED, FORBIDDEN, INVALID (variantId), and CONFLICT when the stock would go below zero
 * or above the maximum.
 */
export async function adjustStock(
  ctx: Context,
  { variantId, quantityChange, transactionType, notes }: Adjustment,
): Promise<InventoryTransaction> {
  requirePermission(ctx, 'stock.write')
  return inTransaction(ctx, async (ctx) => {
    const change = isId(variantId)
      ? await changeStock(ctx.db, { variantId, change: quantityChange, now: ctx.now })
      : null
    if (!change) return throwNotAdjusted(ctx, variantId, quantityChange)
    const row = await recordStock(ctx, { change, transactionType, notes })
    await recordAudit(ctx, { action: 'stock.adjusted', subjectId: shopSubjectId, objectId: variantId })
    return row
  })
}

/** Throws the reason why the stock was not changed. */
async function throwNotAdjusted(ctx: Context, variantId: string, quantityChange: number): Promise<never> {
  const stock = isId(variantId) ? await findStock(ctx.db, variantId) : null
  if (stock === null) {
    throw new AppError('INVALID', undefined, { fields: { variantId: 'This variant doesn’t exist.' } })
  }
  const sentence =
    quantityChange < 0
      ? `You can’t remove ${-quantityChange} units. There are ${stock} on hand.`
      : `Stock can’t exceed ${maxStock} units. There are ${stock} on hand.`
  throw new AppError('CONFLICT', sentence, { fields: { quantityChange: sentence } })
}
