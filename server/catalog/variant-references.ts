import { findProductOf, manufacturerExists } from '#db/catalog/catalog-edit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'

export const refuseField = (field: string, sentence: string): never => {
  throw new AppError('INVALID', undefined, { fields: { [field]: sentence } })
}

/** What a variant names must be there, its linked variant in its own product. Throws INVALID (manufacturerId, linkedVariantId). */
export async function requireReferences(
  ctx: Pick<Context, 'db'>,
  variant: {
    id: string | null
    productId: string
    manufacturerId: string | null
    linkedVariantId: string | null
  },
): Promise<void> {
  const { id, productId, manufacturerId, linkedVariantId } = variant
  if (
    manufacturerId !== null &&
    !(isId(manufacturerId) && (await manufacturerExists(ctx.db, manufacturerId)))
  ) {
    refuseField('manufacturerId', 'There is no such manufacturer.')
  }
  if (linkedVariantId === null) return
  if (linkedVariantId === id) refuseField('linkedVariantId', 'A variant cannot be linked to itself.')
  if (!isId(linkedVariantId) || (await findProductOf(ctx.db, linkedVariantId)) !== productId) {
    refuseField('linkedVariantId', 'It must be another variant of the same product.')
  }
}
