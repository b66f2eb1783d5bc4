import { listPharmacies, listProductPharmacies } from '#db/partners/pharmacies.ts'
import {
  checkDestination,
  countryOf,
  findDestinationRules,
  type Destination,
} from '#domain/dispensing/destination.ts'
import { toStateCode } from '#domain/settings/state-scheduled.ts'
import { parseAddress } from '#domain/accounts/addresses.ts'
import type { ShipTo } from '#domain/checkout/checkout.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { Context } from '../context.ts'
import { importRules } from './import-rules.ts'

/** An order's address and the products of its prescription lines. */
type Parcel = { shipTo: ShipTo; productIds: readonly string[] }

/** Where each parcel goes, with what our list of rules says about it. In the parcels' order. */
export async function findDestinations(
  ctx: Pick<Context, 'db'>,
  parcels: readonly Parcel[],
): Promise<Destination[]> {
  if (parcels.length === 0) return []
  const productIds = [...new Set(parcels.flatMap(({ productIds }) => productIds))]
  const [pharmacies, byProduct] = await pipeline(
    listPharmacies(ctx.db),
    listProductPharmacies(ctx.db, productIds),
  )
  const active = pharmacies.filter((pharmacy) => pharmacy.active)
  return parcels.map(({ shipTo, productIds }) => {
    const country = countryOf(shipTo)
    const check = checkDestination(
      country,
      productIds.map((id) => byProduct.get(id) ?? null),
      active,
    )
    const state = (shipTo.parts ?? parseAddress(shipTo.text))?.stateProvince ?? ''
    return {
      country,
      state: toStateCode(state),
      ...check,
      rules: findDestinationRules(importRules, country, check),
    }
  })
}
