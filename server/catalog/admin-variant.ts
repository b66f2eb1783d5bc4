import { listAcquisitionCosts, listVariantsOfProducts } from '#db/catalog/variants.ts'
import type { Variant } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { Context } from '../context.ts'

/** A variant as admins see it: with what it costs the shop, in US dollars with two decimals. */
export type AdminVariant = Variant & { acquisitionCost: string | null }

/** Adds what admins alone see, when it is one who asks. */
export async function withCosts<V extends Variant>(
  ctx: Pick<Context, 'db' | 'user'>,
  variants: readonly V[],
): Promise<(V | (V & AdminVariant))[]> {
  return ctx.user?.mayAdminister ? addCosts(ctx, variants) : [...variants]
}

/** Adds what admins alone see, for one of them. */
export async function addCosts<V extends Variant>(
  ctx: Pick<Context, 'db'>,
  variants: readonly V[],
): Promise<(V & AdminVariant)[]> {
  const costs = await listAcquisitionCosts(
    ctx.db,
    variants.map(({ id }) => id),
  )
  return variants.map((variant) => {
    const cents = costs.get(variant.id) ?? null
    return { ...variant, acquisitionCost: cents === null ? null : decimalFromCents(cents) }
  })
}

/** A variant that an admin has just written. Throws NOT_FOUND. */
export async function readAdminVariant(
  ctx: Pick<Context, 'db'>,
  { id, productId }: Pick<Variant, 'id' | 'productId'>,
): Promise<AdminVariant> {
  const variants = (await listVariantsOfProducts(ctx.db, [productId])).get(productId) ?? []
  const [variant] = await addCosts(
    ctx,
    variants.filter((variant) => variant.id === id),
  )
  if (!variant) throw new AppError('NOT_FOUND', 'Variant not found')
  return variant
}
