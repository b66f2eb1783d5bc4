import type { Context } from '../context.ts'
import { findLineRecalls } from './find-line-recalls.ts'

/**
 * The recall that keeps units in no lot from being sold, because it is for all lots of a package
 * and in force; null for none.
 */
export async function findFullRecall(
  ctx: Pick<Context, 'db'>,
  productVariantId: string,
): Promise<string | null> {
  const recalls = await findLineRecalls(ctx, [{ id: '', productVariantId, quantity: 1 }])
  return recalls.find(({ effect }) => effect === 'block')?.recallId ?? null
}
