import { listLinesOf, type StoredCartLine } from '#db/cart/carts.ts'
import { listVariantsOfProducts } from '#db/catalog/variants.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import { findDifference } from '#domain/dispensing/medicine.ts'
import type { Context } from '../context.ts'
import { searchProducts } from '../search/search-products.ts'

/** A medicine is sold as few products, each in many packages. */
const maxProducts = 50

/** The variants that are sold and are exactly an item's medicine, in stock or not. */
export async function listEqualVariants(ctx: Pick<Context, 'db'>, item: Item): Promise<StoredCartLine[]> {
  const { products } = await searchProducts(
    { reads: ctx.db },
    {
      q: item.medicine.ingredientSet.replaceAll(';', ' '),
      category: 'Rx',
      limit: maxProducts,
    },
  )
  const variants = await listVariantsOfProducts(
    ctx.db,
    products.map(({ id }) => id),
  )
  return filterEqualVariants(
    ctx,
    item,
    [...variants.values()].flat().map(({ id }) => id),
  )
}

/** Which of these variants are sold and are exactly an item's medicine. */
export async function filterEqualVariants(
  ctx: Pick<Context, 'db'>,
  item: Item,
  variantIds: readonly string[],
): Promise<StoredCartLine[]> {
  const lines = await listLinesOf(
    ctx.db,
    variantIds.map((variantId) => ({ variantId, quantity: 1, priceCents: 0 })),
  )
  return lines.filter((line) => matchesItem(item, line))
}

/** Whether a line is sold and is exactly an item's medicine. */
export const matchesItem = (
  { medicine, dispenseAsWritten }: Item,
  { isDeleted, prescribed }: StoredCartLine,
): boolean =>
  !isDeleted &&
  prescribed !== null &&
  findDifference(medicine, prescribed.medicine, dispenseAsWritten) === null
