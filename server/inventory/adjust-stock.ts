import { changeStock, findStock } from '#db/inventory/stock.ts'
import { shopItself } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxStock, type InventoryTransaction } from '#domain/inventory/inventory.ts'
import type { Adjustment } from '#domain/inventory/stock-adjustment.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { recordStock } from '#db/inventory/record-stock.ts'

/**
 * Adds to a variant's stock or takes from it, and answers the ledger's row. What is held for checkouts may be taken too, as what
 * broke is broken; who paid for it gets the money back. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (variantId) and CONFLICT when the
 * stock would be below zero or past all bounds.
 */
export async function adjustStock(
  ctx: Context,
  { variantId, quantityChange, transactionType, notes }: Adjustment,
): Promise<InventoryTransaction> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    const change = isId(variantId)
      ? await changeStock(ctx.db, { variantId, change: quantityChange, now: ctx.now })
      : null
    if (!change) return throwNotAdjusted(ctx, variantId, quantityChange)
    const row = await recordStock(ctx, { change, transactionType, notes })
    await recordAudit(ctx, { action: 'stock.adjusted', subjectId: shopItself, objectId: variantId })
    return row
  })
}

/** Says why the stock was not changed. */
async function throwNotAdjusted(ctx: Context, variantId: string, quantityChange: number): Promise<never> {
  const stock = isId(variantId) ? await findStock(ctx.db, variantId) : null
  if (stock === null) {
    throw new AppError('INVALID', undefined, { fields: { variantId: 'There is no such variant.' } })
  }
  const sentence =
    quantityChange < 0
      ? `The stock is ${stock} and cannot be lowered by ${-quantityChange}.`
      : `The stock is ${stock} and cannot be above ${maxStock}.`
  throw new AppError('CONFLICT', sentence, { fields: { quantityChange: sentence } })
}
