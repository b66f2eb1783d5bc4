import { findProductCard } from '#db/catalog/products.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { toProduct, withVariants, type ListedProduct } from './list-products.ts'

/** One product, with its variants if requested. Throws NOT_FOUND. */
export async function getProduct(
  ctx: Context,
  id: string,
  { variants }: { variants: boolean },
): Promise<ListedProduct> {
  const card = isId(id) ? await findProductCard(ctx.reads, id) : null
  if (!card) throw new AppError('NOT_FOUND', 'Product not found')
  const [product] = variants ? await withVariants(ctx, [toProduct(card)]) : [toProduct(card)]
  if (!product) throw new AppError('NOT_FOUND', 'Product not found')
  return product
}
