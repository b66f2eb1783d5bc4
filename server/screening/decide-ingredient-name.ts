import {
  deleteNameDecision,
  ingredientExists,
  insertNameDecision,
  listProductsWithName,
} from '#db/screening/ingredient-names.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { refreshProductIngredients } from './refresh-product-ingredients.ts'

/**
 * Says which ingredient a name means that no list has, or that it means none of them. All products
 * with the name follow. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (ingredient), CONFLICT.
 */
export async function decideIngredientName(
  ctx: Context,
  { name, ingredient }: { name: string; ingredient: string | null },
): Promise<void> {
  const { id: updatedBy } = requirePermission(ctx, 'catalog.write')
  await inTransaction(ctx, async (ctx) => {
    if (ingredient !== null && !(await ingredientExists(ctx.db, ingredient)))
      throw new AppError('INVALID', undefined, {
        fields: { ingredient: 'No list has this ingredient. Write it as the lists do, such as WARFARIN.' },
      })
    if (!(await insertNameDecision(ctx.db, { name, ingredient, updatedBy, updatedAt: ctx.now })))
      throw new AppError('CONFLICT', 'Another manager has decided about this name.')
    await followDecision(ctx, name)
  })
}

/** Takes a decision back. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function undoNameDecision(ctx: Context, name: string): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  await inTransaction(ctx, async (ctx) => {
    if (!(await deleteNameDecision(ctx.db, name)))
      throw new AppError('NOT_FOUND', 'This decision was already undone.')
    await followDecision(ctx, name)
  })
}

async function followDecision(ctx: Context, name: string): Promise<void> {
  await refreshProductIngredients(ctx.db, await listProductsWithName(ctx.db, name))
  await recordAudit(ctx, { action: 'ingredient-name.decided', subjectId: shopSubjectId })
}
