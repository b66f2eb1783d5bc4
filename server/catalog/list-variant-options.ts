import { listSiblings } from '#db/catalog/variants.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { suggestManufacturers } from './resolve-manufacturer.ts'
import { searchProducts } from '../search/search-products.ts'

/** What the forms of the back office let one choose from, as one types. */
export type Choice = { id: string; label: string; hint: string | null }

const mostOffered = 12

/** Products by what was typed, the nearest first. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function offerProducts(ctx: Context, typed: string): Promise<Choice[]> {
  requireAdmin(ctx)
  const { products } = await searchProducts(ctx, { q: typed, limit: mostOffered })
  return products.map(({ id, name, category, route, variantCount }) => ({
    id,
    label: name,
    hint: [category, route, `${variantCount} ${variantCount === 1 ? 'variant' : 'variants'}`]
      .filter(Boolean)
      .join(' · '),
  }))
}

/** Makers of which a word of the name begins so. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function offerManufacturers(ctx: Context, typed: string): Promise<Choice[]> {
  requireAdmin(ctx)
  return (await suggestManufacturers(ctx, typed)).map(({ id, name }) => ({ id, label: name, hint: null }))
}

/** The variants of a product, to link one to. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND for what is no id. */
export async function offerSiblings(
  ctx: Context,
  productId: string,
): Promise<{ id: string; label: string }[]> {
  requireAdmin(ctx)
  if (!isId(productId)) throw new AppError('NOT_FOUND', 'Product not found')
  return (await listSiblings(ctx.db, productId)).map((row) => ({ id: row.id, label: variantLabel(row) }))
}
