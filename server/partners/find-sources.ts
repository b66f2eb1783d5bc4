import { listPharmacies, listProductPharmacies } from '#db/partners/pharmacies.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { ShippingPharmacy } from '#domain/dispensing/destination.ts'
import type { Context } from '../context.ts'

/** The active pharmacies, and each product's pharmacy. */
export type Sources = { active: ShippingPharmacy[]; sources: (string | null)[] }

/** Where these products ship from: the input of `checkDestination`. */
export async function findSources(
  { db }: Pick<Context, 'db'>,
  productIds: readonly string[],
): Promise<Sources> {
  const [pharmacies, byProduct] = await pipeline(
    listPharmacies(db),
    listProductPharmacies(db, [...new Set(productIds)]),
  )
  return {
    active: pharmacies.filter((pharmacy) => pharmacy.active),
    sources: productIds.map((id) => byProduct.get(id) ?? null),
  }
}
