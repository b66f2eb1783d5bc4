import { findManufacturerName } from '#db/catalog/manufacturers.ts'
import { listProductRows } from '#db/catalog/product-rows.ts'
import { listVariantRows } from '#db/catalog/variant-rows.ts'
import type { GridPage } from '#domain/grid.ts'
import { isId } from '#domain/ids.ts'
import type {
  ProductQuery,
  ProductRow,
  SearchNote,
  VariantQuery,
  VariantRow,
} from '#domain/catalog/variant-grid.ts'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { findAdminProducts, findAdminVariants } from './find-admin-catalog.ts'

type AdminPage<Row> = GridPage<Row> & { note: SearchNote | null }

type VariantPage = AdminPage<VariantRow> & {
  /** The manufacturer filter. Null when it is not set. The name is null for an unknown id. */
  manufacturer: { name: string | null } | null
}

type FoundPage = VariantPage & {
  /** How many variants the search found before the filters. Null without a search. */
  found: number | null
}

/** A page of the variants for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listAdminVariants(ctx: Context, query: VariantQuery): Promise<VariantPage> {
  requirePermission(ctx, 'catalog.write')
  const { found: _, ...page } = await listVariantPage(ctx, query)
  return page
}

/** The same for other lists. The caller checks the permission. */
export async function listVariantPage(ctx: Context, query: VariantQuery): Promise<FoundPage> {
  const { ids, note } = await findAdminVariants(ctx.reads, query.q)
  const [page, manufacturer] = await Promise.all([
    listVariantRows(ctx.reads, query, ids),
    findSelectedManufacturer(ctx, query.manufacturerId),
  ])
  return { ...page, note, manufacturer, found: ids?.length ?? null }
}

async function findSelectedManufacturer(
  ctx: Context,
  id: string | undefined,
): Promise<VariantPage['manufacturer']> {
  if (id === undefined) return null
  return { name: isId(id) ? await findManufacturerName(ctx.reads, id) : null }
}

/** A page of the products for the back office. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listAdminProducts(ctx: Context, query: ProductQuery): Promise<AdminPage<ProductRow>> {
  requirePermission(ctx, 'catalog.write')
  const { ids, note } = await findAdminProducts(ctx.reads, query.q)
  return { ...(await listProductRows(ctx.reads, query, ids)), note }
}
