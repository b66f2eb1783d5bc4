import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import type { Context } from '../context.ts'

/**
 * Updates the product summaries, brand pages and search index for these products, at the end of the
 * transaction that edited them.
 * @param searchTermsChanged false when nothing changed that the products are found by
 */
export async function refreshCatalog(
  ctx: Pick<Context, 'db' | 'now'>,
  productIds: readonly string[],
  { searchTermsChanged = true }: { searchTermsChanged?: boolean } = {},
): Promise<void> {
  await refreshProductSummaries(ctx.db, productIds, ctx.now)
  if (searchTermsChanged) await refreshSearch(ctx.db, productIds)
}
