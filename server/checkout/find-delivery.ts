import { listPharmacies, listProductPharmacies } from '#db/partners/pharmacies.ts'
import { pipeline } from '#db/engine/sql.ts'
import { describeDelivery } from '#domain/checkout/delivery.ts'
import { checkDestination } from '#domain/dispensing/destination.ts'
import type { Context } from '../context.ts'

/**
 * The delivery time of these products to a country, in a sentence. Without an address, within the
 * pharmacies' own country.
 */
export async function findDelivery(
  ctx: Pick<Context, 'db'>,
  { productIds, country }: { productIds: readonly string[]; country: string },
): Promise<string> {
  const [pharmacies, byProduct] = await pipeline(
    listPharmacies(ctx.db),
    listProductPharmacies(ctx.db, [...new Set(productIds)]),
  )
  const active = pharmacies.filter((pharmacy) => pharmacy.active)
  const sources = productIds.map((id) => byProduct.get(id) ?? null)
  return describeDelivery({
    country,
    homes: active
      .filter(({ id }) => sources.includes(null) || sources.includes(id))
      .map((each) => each.country),
    ...checkDestination(country, sources, active),
  })
}
