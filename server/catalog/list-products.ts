import { can } from '#domain/accounts/permissions.ts'
import {
  catalogFingerprint,
  findListCursor,
  listProducts,
  listStart,
  type ListCursor,
} from '#db/catalog/products.ts'
import { listVariants, listVariantsOfProducts, variantExists } from '#db/catalog/variants.ts'
import type { Product, ProductCard, Variant } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { addCosts, withCosts } from './admin-variant.ts'

export type ListedProduct = Product & { variants?: Variant[] }
type Page = { after: string | null; limit: number }

/** Rows read at a time when a whole list is streamed, which bounds memory. */
const batchSize = 100

const unknownCursor = (): AppError => new AppError('INVALID', 'after must be the id of a row in this list.')

/** The fields of the specification's Product entity, without the rest of the card. */
export const toProduct = (card: ProductCard): Product => ({
  id: card.id,
  name: card.name,
  description: card.description,
  image: card.givenImage ?? card.image,
  category: card.category,
  pharmacyId: card.pharmacyId,
  controlledSchedule: card.controlledSchedule,
})

/** Adds their variants to products, in the same order. */
export async function withVariants<P extends Product>(
  ctx: Context,
  products: readonly P[],
): Promise<(P & { variants: Variant[] })[]> {
  const variants = await listVariantsOfProducts(
    ctx.reads,
    products.map((product) => product.id),
  )
  if (can(ctx.user, 'costs.read')) {
    const withCost = await addCosts(ctx, [...variants.values()].flat())
    for (const id of variants.keys()) variants.set(id, [])
    for (const variant of withCost) variants.get(variant.productId)?.push(variant)
  }
  return products.map((product) => ({ ...product, variants: variants.get(product.id) ?? [] }))
}

async function resolveProductCursor(ctx: Context, after: string | null): Promise<ListCursor> {
  if (after === null) return listStart
  const cursor = isId(after) ? await findListCursor(ctx.reads, after) : null
  if (!cursor) throw unknownCursor()
  return cursor
}

/** One page of all products by popularity. Throws INVALID when `after` is not a product id. */
export async function listProductsPage(
  ctx: Context,
  { after, limit, variants }: Page & { variants: boolean },
): Promise<ListedProduct[]> {
  const rows = await listProducts(ctx.reads, { after: await resolveProductCursor(ctx, after), limit })
  const products = rows.map((row) => toProduct(row.card))
  return variants ? withVariants(ctx, products) : products
}

/** A whole list is read from one server: a replica's rows could be older than the list's ETag. */
const onPrimary = (ctx: Context): Context => ({ ...ctx, reads: ctx.db })

/**
 * Streams every product after `after`, in batches. Throws INVALID, before the first product, when
 * `after` is not a product id.
 */
export async function streamProducts(
  ctx: Context,
  { after, variants }: { after: string | null; variants: boolean },
): Promise<AsyncGenerator<ListedProduct>> {
  const whole = onPrimary(ctx)
  return iterateProducts(whole, await resolveProductCursor(whole, after), variants)
}

async function* iterateProducts(
  ctx: Context,
  start: ListCursor,
  variants: boolean,
): AsyncGenerator<ListedProduct> {
  let cursor = start
  for (;;) {
    const rows = await listProducts(ctx.reads, { after: cursor, limit: batchSize })
    const products = rows.map((row) => toProduct(row.card))
    yield* variants ? await withVariants(ctx, products) : products
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    cursor = last.cursor
  }
}

async function resolveVariantCursor(ctx: Context, after: string | null): Promise<string> {
  if (after !== null && !(isId(after) && (await variantExists(ctx.reads, after)))) throw unknownCursor()
  return after ?? ''
}

/** One page of all variants by id. Throws INVALID when `after` is not a variant id. */
export const listVariantsPage = async (ctx: Context, { after, limit }: Page): Promise<Variant[]> =>
  withCosts(ctx, await listVariants(ctx.reads, { after: await resolveVariantCursor(ctx, after), limit }))

/**
 * Streams every variant after `after`, in batches. Throws INVALID, before the first variant, when
 * `after` is not a variant id.
 */
export async function streamVariants(
  ctx: Context,
  { after }: { after: string | null },
): Promise<AsyncGenerator<Variant>> {
  const whole = onPrimary(ctx)
  return iterateVariants(whole, await resolveVariantCursor(whole, after))
}

async function* iterateVariants(ctx: Context, start: string): AsyncGenerator<Variant> {
  let cursor = start
  for (;;) {
    const rows = await listVariants(ctx.reads, { after: cursor, limit: batchSize * 5 })
    yield* await withCosts(ctx, rows)
    const last = rows.at(-1)
    if (!last || rows.length < batchSize * 5) return
    cursor = last.id
  }
}

/**
 * A short text that changes whenever a list does. Admins get another one, because their lists
 * contain more.
 */
export const listFingerprint = async (ctx: Context): Promise<string> =>
  `${await catalogFingerprint(onPrimary(ctx).reads)}${can(ctx.user, 'costs.read') ? '-admin' : ''}`
