import { listMedicinesOfProducts, type MedicineRow } from '#db/catalog/medicines.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { pricePerUnit } from '#domain/catalog/variant-choice.ts'
import type { LineEquivalents } from '#domain/dispensing/case-line.ts'
import type { ListedCodes } from '#domain/dispensing/listed-codes.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import { findDifference, toMedicine, type Medicine } from '#domain/dispensing/medicine.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { listOffersInstead } from '#domain/screening/equivalent-offers.ts'
import type { Rating } from '#domain/screening/equivalents.ts'
import type { Context } from '../context.ts'
import { rateVariants } from '../screening/rate-variants.ts'
import { toMedicineSource } from './line-medicine.ts'

/** The packages on sale of a line's product, with what FDA's list says about them. */
export type RatedPackages = {
  /** Those that the list rates. */
  rated: readonly { row: MedicineRow; medicine: Medicine; rating: Rating }[]
  /** By variant. */
  applications: ReadonlyMap<string, string>
  listDate: string | null
  isComplete: boolean
}

/** Reads the packages that a line is compared with. The line's own product has them all. */
export async function readRatedPackages(ctx: Pick<Context, 'db'>, productId: string): Promise<RatedPackages> {
  const rows = await listMedicinesOfProducts(ctx.db, [productId])
  const applications = new Map(
    rows.flatMap(({ id, applicationNumber }): [string, string][] =>
      applicationNumber === null ? [] : [[id, applicationNumber]],
    ),
  )
  const { ratings, listDate, isComplete } = await rateVariants(ctx, rows, applications)
  const rated = rows.flatMap((row) => {
    const rating = ratings.get(row.id)
    return rating ? [{ row, medicine: toMedicine(toMedicineSource(row)), rating }] : []
  })
  return { rated, applications, listDate, isComplete }
}

/** An order's line with the medicine that it froze. */
type OrderedMedicine = { variantId: string; medicine: Medicine }

/** The rating of the ordered package, if the catalog still describes what was ordered. */
const orderedRating = ({ rated }: RatedPackages, { variantId, medicine }: OrderedMedicine): Rating | null => {
  const own = rated.find(({ row }) => row.id === variantId)
  return own && findDifference(medicine, own.medicine) === null ? own.rating : null
}

/** The rating of what is prescribed: of its brand, else of all. Null when they differ. */
function prescribedRating({ rated }: RatedPackages, { medicine, dispenseAsWritten }: Item): Rating | null {
  const equal = rated.filter((one) => findDifference(medicine, one.medicine, dispenseAsWritten) === null)
  const ofBrand = equal.filter((one) => one.medicine.brandName === medicine.brandName)
  const ratings = (ofBrand.length > 0 ? ofBrand : equal).map(({ rating }) => rating)
  const [first = null] = ratings
  return ratings.every(({ group }) => group === first?.group) ? first : null
}

/** What the list says about a line's medicine and an item's. */
export function findListedCodes(packages: RatedPackages, item: Item, ordered: OrderedMedicine): ListedCodes {
  const prescribed = prescribedRating(packages, item)
  const offered = orderedRating(packages, ordered)
  return {
    prescribed: prescribed?.code ?? null,
    offered: offered?.code ?? null,
    isEquivalent: prescribed && offered ? prescribed.group === offered.group : null,
    listDate: packages.listDate,
  }
}

/** What is in stock that FDA rates as equivalent to the ordered package, cheapest first. */
export function findLineEquivalents(
  packages: RatedPackages,
  line: OrderLine,
  ordered: OrderedMedicine,
): LineEquivalents {
  const { listDate, isComplete, rated, applications } = packages
  const code = orderedRating(packages, ordered)?.code ?? null
  const variants = rated.map(({ row }) => ({
    ...row,
    price: row.priceCents === null ? null : decimalFromCents(row.priceCents),
  }))
  const ratings = new Map(rated.map(({ row, rating }) => [row.id, rating]))
  const offers =
    code === null ? [] : listOffersInstead(variants, { ratings, applications }, line.productVariantId)
  const ordersPrice = pricePerUnit({
    price: decimalFromCents(line.priceCents),
    packageSize: line.variant.packageSize,
  })
  return {
    code,
    listDate,
    isComplete,
    orderedUnitPrice: formatUnitPrice(ordersPrice),
    offers: offers.slice(0, maxOffers).map((offer) => {
      const price = pricePerUnit(offer)
      return {
        variantId: offer.id,
        label: [labelOfRow(offer), offer.manufacturer].filter(Boolean).join(', '),
        unit: offer.packageUnit,
        unitPrice: formatUnitPrice(price),
        costsMore: (price ?? 0) > (ordersPrice ?? 0),
      }
    }),
  }
}

const maxOffers = 6

/** A tablet costs cents, so three decimals tell them apart. */
const formatUnitPrice = (price: number | null): string => (price ?? 0).toFixed((price ?? 0) < 1 ? 3 : 2)
