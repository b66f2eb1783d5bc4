import { findProductRun, listProductStamps, type ProductRun } from '#db/catalog/sitemap.ts'
import type { Context } from '#server/context.ts'

/** URLs allowed in one sitemap (sitemaps.org, protocol). */
const maxUrls = 50_000

/** Rows read at a time, which bounds memory. */
const batchSize = 1000

/** One sitemap of products. `after` is the id before its first. */
export type ProductSitemap = ProductRun & { after: string }

/**
 * Splits the live products into sitemaps by id. New products go into the last sitemap, so the
 * others do not change.
 */
export async function listProductSitemaps(
  { reads: db }: Pick<Context, 'reads'>,
  limit: number = maxUrls,
): Promise<ProductSitemap[]> {
  const sitemaps: ProductSitemap[] = []
  for (let after = ''; ;) {
    const run = await findProductRun(db, { after, limit })
    if (!run) return sitemaps
    sitemaps.push({ ...run, after })
    after = run.last
  }
}

/** The products of a sitemap, read in batches by id. */
export async function* streamSitemapProducts(
  { reads: db }: Pick<Context, 'reads'>,
  { after, last }: Pick<ProductSitemap, 'after' | 'last'>,
): AsyncGenerator<{ id: string; updatedAt: Date }> {
  for (let lastId = after; ;) {
    const rows = await listProductStamps(db, { after: lastId, last, limit: batchSize })
    yield* rows
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return
    lastId = end.id
  }
}
