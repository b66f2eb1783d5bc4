import { AppError } from '#domain/errors.ts'
import { isId, isRandomId } from '#domain/ids.ts'
import { toTransaction } from '#domain/ledger/ledger.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { requirePermission } from '../require-user.ts'
import { requireVariant } from '../catalog/update-variant.ts'
import type { Context } from '../context.ts'
import { readChanges } from '../ledger/list-ledger-page.ts'
import { findLedgerPlace, openLedger } from '../ledger/walk-ledger.ts'

/** A page of the ledger: after a row's id, or from the newest row. */
type Page = { after: string | null; limit: number }

/**
 * One page of the stock ledger, newest first, including deleted variants.
 * Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when `after` names no row.
 */
export async function listTransactions(ctx: Context, page: Page): Promise<InventoryTransaction[]> {
  requirePermission(ctx, 'stock.read')
  return listRows(ctx, null, page)
}

/**
 * One page of a variant's history, newest first. Each row starts at the quantity that the next,
 * older one left. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and INVALID when `after` names no
 * row of it.
 */
export async function listVariantTransactions(
  ctx: Context,
  variantId: string,
  page: Page,
): Promise<InventoryTransaction[]> {
  await requireVariant(ctx, variantId, 'stock.read')
  return listRows(ctx, variantId, page)
}

async function listRows(
  ctx: Context,
  variantId: string | null,
  { after, limit }: Page,
): Promise<InventoryTransaction[]> {
  const ledger = await openLedger(ctx, variantId)
  const isRow = after !== null && (isId(after) || isRandomId(after))
  const place = isRow ? await findLedgerPlace(ctx, ledger, after) : null
  if (after !== null && place === null) {
    throw new AppError('INVALID', 'after must be the id of a row in this list.')
  }
  return (await readChanges(ctx, ledger, { dir: 'desc', place, limit })).map(toTransaction)
}
