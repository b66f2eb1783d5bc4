import { listProductRows } from '#db/product-rows.ts'
import { listVariantRows } from '#db/variant-rows.ts'
import type { GridPage } from '#domain/grid.ts'
import type { ProductQuery, ProductRow, SearchNote, VariantQuery, VariantRow } from '#domain/variant-grid.ts'
import { requireAdmin } from '../accounts/require-user.ts'
import type { Context } from '../context.ts'
import { findProductsForDesk, findVariantsForDesk } from './find-for-desk.ts'

type DeskPage<Row> = GridPage<Row> & { note: SearchNote | null }

/** A page of the variants for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listVariantsForDesk(ctx: Context, query: VariantQuery): Promise<DeskPage<VariantRow>> {
  requireAdmin(ctx)
  const { ids, note } = await findVariantsForDesk(ctx.db, query.q)
  return { ...(await listVariantRows(ctx.db, query, ids)), note }
}

/** A page of the products for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listProductsForDesk(ctx: Context, query: ProductQuery): Promise<DeskPage<ProductRow>> {
  requireAdmin(ctx)
  const { ids, note } = await findProductsForDesk(ctx.db, query.q)
  return { ...(await listProductRows(ctx.db, query, ids)), note }
}
