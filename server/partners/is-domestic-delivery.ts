import { checkDestination, isSameCountry } from '#domain/dispensing/destination.ts'
import type { Context } from '../context.ts'
import { findSources } from './find-sources.ts'

/** Whether these products ship within their pharmacies' own country: the rule of findDelivery. */
export async function isDomesticDelivery(
  ctx: Pick<Context, 'db'>,
  { productIds, country }: { productIds: readonly string[]; country: string },
): Promise<boolean> {
  const { active, sources } = await findSources(ctx, productIds)
  // findDelivery promises no time without an active pharmacy. An order needs a date, which then
  // counts from the United States.
  if (active.length === 0) return isSameCountry(country, 'US')
  return checkDestination(country, sources, active).isDomestic
}
