import { listNamedTransactions } from '#db/inventory/admin-stock.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import type { GridPage } from '#domain/grid.ts'
import type { HistoryQuery, HistoryRow, StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { findStockedVariant } from './list-stock.ts'

/** A page of the ledger, and of which variant it is: null when of all, or when the one that was asked for is none. */
export type HistoryPage = GridPage<HistoryRow> & { variant: StockedVariant | null }

/**
 * A page of the ledger for the back office, the newest first: each row of a variant begins with what the next, older one left. What was
 * asked for and is no variant has no rows. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listHistory(
  ctx: Context,
  { variant: requested, ...query }: HistoryQuery,
): Promise<HistoryPage> {
  requireAdmin(ctx)
  const variant = await findStockedVariant(ctx, requested)
  if (requested !== '' && !variant) return { rows: [], total: 0, next: null, previous: null, variant: null }
  const { rows, ...page } = await listNamedTransactions(ctx.db, { ...query, variantId: variant?.id ?? null })
  return {
    ...page,
    variant,
    rows: rows.map((row) => ({
      id: row.id,
      productVariantId: row.productVariantId,
      transactionType: row.transactionType,
      quantityChange: row.quantityChange,
      quantityBefore: row.quantityBefore,
      quantityAfter: row.quantityAfter,
      notes: row.notes,
      createdAt: row.createdAt.toISOString(),
      productName: row.productName,
      label: variantLabel(row),
    })),
  }
}
