import { listVariantNames } from '#db/inventory/admin-stock.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import type { GridPage } from '#domain/grid.ts'
import type { HistoryQuery, HistoryRow, StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { toTransaction } from '#domain/ledger/ledger.ts'
import { listLedgerPage } from '../ledger/list-ledger-page.ts'
import { findStockedVariant } from './list-stock.ts'

/**
 * A page of the ledger, with its variant: null for all variants, or when the requested one does not
 * exist.
 */
export type HistoryPage = GridPage<HistoryRow> & { variant: StockedVariant | null }

/**
 * A page of the ledger for the back office, newest first. Each row of a variant starts at the
 * quantity that the next, older one left. An unknown variant has no rows. Throws UNAUTHENTICATED,
 * FORBIDDEN.
 */
export async function listHistory(
  ctx: Context,
  { variant: requested, ...query }: HistoryQuery,
): Promise<HistoryPage> {
  requirePermission(ctx, 'stock.read')
  const variant = await findStockedVariant(ctx, requested)
  if (requested !== '' && !variant) return { rows: [], total: 0, next: null, previous: null, variant: null }
  const { rows, ...page } = await listLedgerPage(ctx, { ...query, variantId: variant?.id ?? null })
  const names = await listVariantNames(
    ctx.db,
    rows.map(({ variantId }) => variantId),
  )
  return {
    ...page,
    variant,
    rows: rows.flatMap((row) => {
      const named = names.get(row.variantId)
      if (!named) return []
      const { createdAt, ...transaction } = toTransaction(row)
      return [
        {
          ...transaction,
          createdAt: createdAt.toISOString(),
          productName: named.productName,
          label: labelOfRow(named),
        },
      ]
    }),
  }
}
