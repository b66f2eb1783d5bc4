import {
  catalogFingerprint,
  findListPlace,
  findProductCard,
  listProducts,
  listStart,
  type ListPlace,
} from '#db/catalog/products.ts'
import { listVariants, listVariantsOfProducts, variantExists } from '#db/catalog/variants.ts'
import type { Product, ProductCard, Variant } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { addCosts, withCosts } from './admin-variant.ts'

export type ListedProduct = Product & { variants?: Variant[] }
type Page = { after: string | null; limit: number }

/** Rows read at a time when a whole list is streamed: bounds its memory. */
const batch = 100

const unknownAfter = (): AppError => new AppError('INVALID', 'after names no row of this list.')

/** A product with the fields of the specification's entity and nothing of the card around it. */
const toProduct = (card: ProductCard): Product => ({
  id: card.id,
  name: card.name,
  description: card.description,
  image: card.image,
  category: card.category,
  pharmacyId: card.pharmacyId,
  controlledSchedule: card.controlledSchedule,
})

/** Gives products their variants, in the same order. */
export async function withVariants<P extends Product>(
  ctx: Context,
  products: readonly P[],
): Promise<(P & { variants: Variant[] })[]> {
  const variants = await listVariantsOfProducts(
    ctx.db,
    products.map((product) => product.id),
  )
  if (ctx.user?.mayAdminister) {
    const withCost = await addCosts(ctx, [...variants.values()].flat())
    for (const id of variants.keys()) variants.set(id, [])
    for (const variant of withCost) variants.get(variant.productId)?.push(variant)
  }
  return products.map((product) => ({ ...product, variants: variants.get(product.id) ?? [] }))
}

async function productPlace(ctx: Context, after: string | null): Promise<ListPlace> {
  if (after === null) return listStart
  const place = isId(after) ? await findListPlace(ctx.db, after) : null
  if (!place) throw unknownAfter()
  return place
}

/** One page of all products by popularity. Throws INVALID when `after` names no product. */
export async function listProductsPage(
  ctx: Context,
  { after, limit, variants }: Page & { variants: boolean },
): Promise<ListedProduct[]> {
  const rows = await listProducts(ctx.db, { after: await productPlace(ctx, after), limit })
  const products = rows.map((row) => toProduct(row.card))
  return variants ? withVariants(ctx, products) : products
}

/** Every product from `after` on, read in batches. Throws INVALID, before the first, when `after` names none. */
export async function allProducts(
  ctx: Context,
  { after, variants }: { after: string | null; variants: boolean },
): Promise<AsyncGenerator<ListedProduct>> {
  return productsFrom(ctx, await productPlace(ctx, after), variants)
}

async function* productsFrom(
  ctx: Context,
  start: ListPlace,
  variants: boolean,
): AsyncGenerator<ListedProduct> {
  let place = start
  for (;;) {
    const rows = await listProducts(ctx.db, { after: place, limit: batch })
    const products = rows.map((row) => toProduct(row.card))
    yield* variants ? await withVariants(ctx, products) : products
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    place = last.place
  }
}

async function variantPlace(ctx: Context, after: string | null): Promise<string> {
  if (after !== null && !(isId(after) && (await variantExists(ctx.db, after)))) throw unknownAfter()
  return after ?? ''
}

/** One page of all variants by id. Throws INVALID when `after` names no variant. */
export const listVariantsPage = async (ctx: Context, { after, limit }: Page): Promise<Variant[]> =>
  withCosts(ctx, await listVariants(ctx.db, { after: await variantPlace(ctx, after), limit }))

/** Every variant from `after` on, read in batches. Throws INVALID, before the first, when `after` names none. */
export async function allVariants(
  ctx: Context,
  { after }: { after: string | null },
): Promise<AsyncGenerator<Variant>> {
  return variantsFrom(ctx, await variantPlace(ctx, after))
}

async function* variantsFrom(ctx: Context, start: string): AsyncGenerator<Variant> {
  let place = start
  for (;;) {
    const rows = await listVariants(ctx.db, { after: place, limit: batch * 5 })
    yield* await withCosts(ctx, rows)
    const last = rows.at(-1)
    if (!last || rows.length < batch * 5) return
    place = last.id
  }
}

/** A short text that changes whenever a whole list does; admins are told more, so theirs is another. */
export const listFingerprint = async (ctx: Context): Promise<string> =>
  `${await catalogFingerprint(ctx.db)}${ctx.user?.mayAdminister ? '-admin' : ''}`

/** One product, with its variants when asked for. Throws NOT_FOUND. */
export async function getProduct(
  ctx: Context,
  id: string,
  { variants }: { variants: boolean },
): Promise<ListedProduct> {
  const card = isId(id) ? await findProductCard(ctx.db, id) : null
  if (!card) throw new AppError('NOT_FOUND', 'Product not found')
  const [product] = variants ? await withVariants(ctx, [toProduct(card)]) : [toProduct(card)]
  if (!product) throw new AppError('NOT_FOUND', 'Product not found')
  return product
}
