import { findProductId, manufacturerExists } from '#db/catalog/catalog-edit.ts'
import { variantReferenceErrors } from '#domain/catalog/variant-rules.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'

export const rejectField = (field: string, message: string): never => {
  throw new AppError('INVALID', undefined, { fields: { [field]: message } })
}

/**
 * Checks that the manufacturer exists and that the linked variant belongs to the same product.
 * Throws INVALID (manufacturerId, linkedVariantId).
 */
export async function requireVariantReferences(
  ctx: Pick<Context, 'db'>,
  variant: {
    id: string | null
    productId: string
    manufacturerId: string | null
    linkedVariantId: string | null
  },
): Promise<void> {
  const { manufacturerId, linkedVariantId } = variant
  const hasManufacturer =
    manufacturerId !== null && isId(manufacturerId) && (await manufacturerExists(ctx.db, manufacturerId))
  const linkedProductId =
    linkedVariantId !== null && isId(linkedVariantId) ? await findProductId(ctx.db, linkedVariantId) : null
  const fields = variantReferenceErrors(variant, {
    hasManufacturer: () => hasManufacturer,
    productIdOf: () => linkedProductId ?? undefined,
  })
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
}
