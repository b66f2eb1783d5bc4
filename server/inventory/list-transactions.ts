import { findTransactionVariant, listTransactions as listRows } from '#db/inventory/inventory-transactions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { requirePermission } from '../require-user.ts'
import { requireVariant } from '../catalog/update-variant.ts'
import type { Context } from '../context.ts'

/** A page of the ledger: after a row's id, or from the newest row. */
type Page = { after: string | null; limit: number }

/**
 * One page of the stock ledger, newest first, including deleted variants.
 * Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when `after` names no row.
 */
export async function listTransactions(
  ctx: Context,
  { after, limit }: Page,
): Promise<InventoryTransaction[]> {
  requirePermission(ctx, 'stock.read')
  if (after !== null) await requireCursor(ctx, after, null)
  return listRows(ctx.db, { variantId: null, after, limit })
}

/**
 * One page of a variant's history, newest first. Each row starts at the quantity that the next,
 * older one left. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and INVALID when `after` names no
 * row of it.
 */
export async function listVariantTransactions(
  ctx: Context,
  variantId: string,
  { after, limit }: Page,
): Promise<InventoryTransaction[]> {
  await requireVariant(ctx, variantId, 'stock.read')
  if (after !== null) await requireCursor(ctx, after, variantId)
  return listRows(ctx.db, { variantId, after, limit })
}

async function requireCursor(ctx: Context, after: string, variantId: string | null): Promise<void> {
  const found = isId(after) ? await findTransactionVariant(ctx.db, after) : null
  if (found === null || (variantId !== null && found !== variantId)) {
    throw new AppError('INVALID', 'after must be the id of a row in this list.')
  }
}
