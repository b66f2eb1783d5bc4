import { findManufacturerName } from '#db/catalog/manufacturers.ts'
import { listProductRows } from '#db/catalog/product-rows.ts'
import { listVariantRows } from '#db/catalog/variant-rows.ts'
import type { GridPage } from '#domain/grid.ts'
import { isId } from '#domain/ids.ts'
import type { ProductQuery, ProductRow, SearchNote, VariantQuery, VariantRow } from '#domain/catalog/variant-grid.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { findProductsForDesk, findVariantsForDesk } from './find-admin-catalog.ts'

type DeskPage<Row> = GridPage<Row> & { note: SearchNote | null }

type VariantPage = DeskPage<VariantRow> & {
  /** Whose variants alone are shown; null when everybody's are. The name is null of a maker who is not there. */
  maker: { name: string | null } | null
}

/** A page of the variants for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listVariantsForDesk(ctx: Context, query: VariantQuery): Promise<VariantPage> {
  requireAdmin(ctx)
  const { ids, note } = await findVariantsForDesk(ctx.db, query.q)
  const [page, maker] = await Promise.all([
    listVariantRows(ctx.db, query, ids),
    readMaker(ctx, query.manufacturerId),
  ])
  return { ...page, note, maker }
}

async function readMaker(ctx: Context, id: string | undefined): Promise<VariantPage['maker']> {
  if (id === undefined) return null
  return { name: isId(id) ? await findManufacturerName(ctx.db, id) : null }
}

/** A page of the products for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listProductsForDesk(ctx: Context, query: ProductQuery): Promise<DeskPage<ProductRow>> {
  requireAdmin(ctx)
  const { ids, note } = await findProductsForDesk(ctx.db, query.q)
  return { ...(await listProductRows(ctx.db, query, ids)), note }
}
