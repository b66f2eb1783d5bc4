import { checkDestination, isSameCountry } from '#domain/dispensing/destination.ts'
import type { Context } from '../context.ts'
import { findSources } from './find-sources.ts'

type Delivery = { productIds: readonly string[]; country: string }

/** Whether these products ship within their pharmacies' own country: the rule of findDelivery. */
export async function isDomesticDelivery(ctx: Pick<Context, 'db'>, delivery: Delivery): Promise<boolean> {
  const [isDomestic = false] = await areDomesticDeliveries(ctx, [delivery])
  return isDomestic
}

/** The same for several deliveries, in their order. */
export async function areDomesticDeliveries(
  ctx: Pick<Context, 'db'>,
  deliveries: readonly Delivery[],
): Promise<boolean[]> {
  const ids = [...new Set(deliveries.flatMap(({ productIds }) => productIds))]
  const { active, sources } = await findSources(ctx, ids)
  const sourceOf = new Map(ids.map((id, at) => [id, sources[at] ?? null]))
  return deliveries.map(({ productIds, country }) => {
    // findDelivery promises no time without an active pharmacy. An order needs a date, which then
    // counts from the United States.
    if (active.length === 0) return isSameCountry(country, 'US')
    const own = productIds.map((id) => sourceOf.get(id) ?? null)
    return checkDestination(country, own, active).isDomestic
  })
}
