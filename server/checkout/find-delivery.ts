import { listPharmacies, listProductPharmacies } from '#db/partners/pharmacies.ts'
import { pipeline } from '#db/engine/sql.ts'
import { describeDelivery } from '#domain/checkout/delivery.ts'
import { checkDestination, isSameCountry } from '#domain/dispensing/destination.ts'
import type { Context } from '../context.ts'

type Delivery = { productIds: readonly string[]; country: string }

/**
 * The delivery time of these products to a country, in a sentence. Without an address, within the
 * pharmacies' own country.
 */
export async function findDelivery(ctx: Pick<Context, 'db'>, delivery: Delivery): Promise<string> {
  const { active, sources } = await listSources(ctx, delivery)
  return describeDelivery({
    country: delivery.country,
    homes: active
      .filter(({ id }) => sources.includes(null) || sources.includes(id))
      .map((each) => each.country),
    ...checkDestination(delivery.country, sources, active),
  })
}

/** Whether these products ship within their pharmacies' own country: the rule of findDelivery. */
export async function isDomesticDelivery(ctx: Pick<Context, 'db'>, delivery: Delivery): Promise<boolean> {
  const { active, sources } = await listSources(ctx, delivery)
  // findDelivery promises no time without an active pharmacy. An order needs a date, which then
  // counts from the United States.
  if (active.length === 0) return isSameCountry(delivery.country, 'US')
  return checkDestination(delivery.country, sources, active).isDomestic
}

/** The active pharmacies, and each product's pharmacy. */
async function listSources({ db }: Pick<Context, 'db'>, { productIds }: Delivery) {
  const [pharmacies, byProduct] = await pipeline(
    listPharmacies(db),
    listProductPharmacies(db, [...new Set(productIds)]),
  )
  return {
    active: pharmacies.filter((pharmacy) => pharmacy.active),
    sources: productIds.map((id) => byProduct.get(id) ?? null),
  }
}
