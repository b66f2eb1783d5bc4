import { describeDelivery, type Delivery } from '#domain/checkout/delivery.ts'
import { checkDestination } from '#domain/dispensing/destination.ts'
import { listLines } from '../cart/cart-lines.ts'
import type { Context } from '../context.ts'
import { findSources } from '../partners/find-sources.ts'
import { requireUser } from '../require-user.ts'

type Parcel = { productIds: readonly string[]; country: string }

/**
 * The delivery time of these products to a country, in a sentence. Without an address, within the
 * pharmacies' own country.
 */
export async function findDelivery(ctx: Pick<Context, 'db'>, parcel: Parcel): Promise<Delivery> {
  const { active, sources } = await findSources(ctx, parcel.productIds)
  return describeDelivery({
    country: parcel.country,
    homes: active
      .filter(({ id }) => sources.includes(null) || sources.includes(id))
      .map((each) => each.country),
    ...checkDestination(parcel.country, sources, active),
  })
}

/** The delivery time of the signed-in customer's cart to a country. Throws UNAUTHENTICATED. */
export async function findCartDelivery(ctx: Context, country: string): Promise<Delivery> {
  const lines = await listLines(ctx, { userId: requireUser(ctx).id })
  const productIds = lines.filter((line) => !line.isDeleted).map(({ product }) => product.id)
  return findDelivery(ctx, { productIds, country })
}
