import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import type { Context } from '../context.ts'

/**
 * Brings what lists, brand pages and the search know of these products up to date, at the end of the transaction that edited them.
 * @param words whether anything changed by which they are found
 */
export async function refreshCatalog(
  ctx: Pick<Context, 'db' | 'now'>,
  productIds: readonly string[],
  { words = true }: { words?: boolean } = {},
): Promise<void> {
  await refreshProductSummaries(ctx.db, productIds, ctx.now)
  if (words) await refreshSearch(ctx.db, productIds)
}
