import { listLinesOf } from '#db/cart/carts.ts'
import { isCurrent, remainingUnits } from '#domain/dispensing/fill-rules.ts'
import { toIngredientSet } from '#domain/dispensing/medicine.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { matchesItem } from './list-equal-variants.ts'
import { readTherapy } from './read-therapy.ts'

/**
 * Which variants of a product are exactly what the signed-in customer's current prescriptions are
 * for, theirs or a dependant's, as long as units are left. Whether one can be filled now depends on
 * the quantity and the day: the cart says that. Empty for a visitor. Not audited: customers read
 * their own data.
 */
export async function listPrescribedVariants(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'user'>,
  product: Parameters<typeof toIngredientSet>[0] & { category: string },
  variantIds: readonly string[],
): Promise<Set<string>> {
  const key = ctx.user && product.category === 'Rx' ? await openUserKey(ctx, ctx.user.id) : null
  if (!ctx.user || !key) return new Set()
  const { items, fills } = await readTherapy(ctx, key, ctx.user.id)
  const ingredientSet = toIngredientSet(product)
  const current = items.filter(
    (item) =>
      item.medicine.ingredientSet === ingredientSet &&
      isCurrent(item, ctx.now) &&
      remainingUnits(item, fills) > 0,
  )
  if (current.length === 0) return new Set()
  const lines = await listLinesOf(
    ctx.db,
    variantIds.map((variantId) => ({ variantId, quantity: 1, priceCents: 0 })),
  )
  return new Set(
    lines.filter((line) => current.some((item) => matchesItem(item, line))).map(({ variant }) => variant.id),
  )
}
