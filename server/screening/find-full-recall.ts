import type { CodedPackage } from '#domain/screening/recall-codes.ts'
import type { Context } from '../context.ts'
import { findLineRecalls, findRecallsByCodes } from './find-line-recalls.ts'

/**
 * The ongoing recall of all lots of a package, which keeps units in no lot from being sold; null
 * for none.
 */
export async function findFullRecall(
  ctx: Pick<Context, 'db'>,
  productVariantId: string,
): Promise<string | null> {
  const recalls = await findLineRecalls(ctx, [{ id: '', productVariantId, quantity: 1 }])
  return recalls.find(({ effect }) => effect === 'block')?.recallId ?? null
}

/** The same for several packages, by the `id` that the caller gave them. */
export async function findFullRecalls(
  ctx: Pick<Context, 'db'>,
  packages: readonly (CodedPackage & { id: string })[],
): Promise<ReadonlyMap<string, string>> {
  const units = packages.map(({ id }) => ({ id, productVariantId: id, quantity: 1 }))
  const recalls = await findRecallsByCodes(ctx, units, packages)
  return new Map(
    recalls.flatMap(({ lineId, recallId, effect }) => (effect === 'block' ? [[lineId, recallId]] : [])),
  )
}
