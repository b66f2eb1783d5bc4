import { countProductTexts } from '#db/screening/product-ingredients.ts'
import { hasIngredient } from '#domain/settings/state-scheduled.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

/**
 * How many products of the catalog an entry of the list of state-scheduled drugs concerns, by the
 * rule that pharmacists see it by. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function countScheduledProducts(ctx: Context, ingredient: string): Promise<number> {
  requirePermission(ctx, 'settings.write')
  const texts = await countProductTexts(ctx.reads)
  return texts
    .filter(({ name, ingredients }) =>
      hasIngredient(
        (ingredients ?? name).split(';').map((one) => one.trim()),
        ingredient,
      ),
    )
    .reduce((sum, { count }) => sum + count, 0)
}
