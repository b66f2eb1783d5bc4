import { listSiblings } from '#db/catalog/variants.ts'
import { productKind } from '#domain/catalog/catalog.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { suggestManufacturers } from './resolve-manufacturer.ts'
import { searchProducts } from '../search/search-products.ts'

/** An option of the back office's comboboxes. */
export type Option = { id: string; label: string; hint: string | null }

const maxOptions = 12

/** Products that match the query, best first. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listProductOptions(ctx: Context, query: string): Promise<Option[]> {
  requirePermission(ctx, 'catalog.write')
  const { products } = await searchProducts(ctx, { q: query, limit: maxOptions })
  return products.map((product) => ({
    id: product.id,
    label: product.name,
    hint: `${productKind(product)} · ${product.variantCount} ${product.variantCount === 1 ? 'variant' : 'variants'}`,
  }))
}

/** Manufacturers with a name word that starts with the query. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listManufacturerOptions(ctx: Context, query: string): Promise<Option[]> {
  requirePermission(ctx, 'catalog.write')
  return (await suggestManufacturers(ctx, query)).map(({ id, name }) => ({ id, label: name, hint: null }))
}

/**
 * The variants of a product, to link one to. Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND for a
 * malformed id.
 */
export async function listSiblingOptions(
  ctx: Context,
  productId: string,
): Promise<{ id: string; label: string }[]> {
  requirePermission(ctx, 'catalog.write')
  if (!isId(productId)) throw new AppError('NOT_FOUND', 'Product not found')
  return (await listSiblings(ctx.db, productId)).map((row) => ({ id: row.id, label: labelOfRow(row) }))
}
