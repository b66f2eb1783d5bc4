import { findProductRun, listProductStamps, type ProductRun } from '#db/catalog/sitemap.ts'
import type { Context } from '#server/context.ts'

/** What one sitemap may hold (sitemaps.org, protocol). */
const mostUrls = 50_000

/** Rows read at a time: bounds the memory of a sitemap. */
const batch = 1000

/** One sitemap of products; `after` is the id before its first. */
export type ProductSitemap = ProductRun & { after: string }

/**
 * How the live products are split into sitemaps, in the order of their ids: a new product goes into the last one, and the
 * others stay as they are.
 */
export async function listProductSitemaps(
  { db }: Pick<Context, 'db'>,
  limit: number = mostUrls,
): Promise<ProductSitemap[]> {
  const sitemaps: ProductSitemap[] = []
  for (let after = ''; ;) {
    const run = await findProductRun(db, { after, limit })
    if (!run) return sitemaps
    sitemaps.push({ ...run, after })
    after = run.last
  }
}

/** The products of a sitemap, read in batches by their ids. */
export async function* productsOfSitemap(
  { db }: Pick<Context, 'db'>,
  { after, last }: Pick<ProductSitemap, 'after' | 'last'>,
): AsyncGenerator<{ id: string; updatedAt: Date }> {
  for (let place = after; ;) {
    const rows = await listProductStamps(db, { after: place, last, limit: batch })
    yield* rows
    const end = rows.at(-1)
    if (!end || rows.length < batch) return
    place = end.id
  }
}
