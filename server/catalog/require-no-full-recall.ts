import { AppError } from '#domain/errors.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { findFullRecall } from '../screening/find-full-recall.ts'

/**
 * Throws INVALID (stockQuantity) for a variant of which all lots are recalled. An edit of a variant
 * adds units in no lot. Call it after the edit was saved, which may have set another NDC.
 */
export async function requireNoFullRecall(ctx: Pick<Context, 'db'>, variantId: string): Promise<void> {
  const recallId = await findFullRecall(ctx, variantId)
  if (recallId === null) return
  const stockQuantity = `${recallName(recallId)} is for all lots of this package. Receive the lot on the Inventory page: it then goes into quarantine.`
  throw new AppError('INVALID', undefined, { fields: { stockQuantity } })
}
