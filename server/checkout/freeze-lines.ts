import { listOffers, type OfferRow } from '#db/checkout/checkouts.ts'
import { pipeline } from '#db/engine/sql.ts'
import { reserveStock } from '#db/inventory/reservations.ts'
import {
  maxLines,
  maxQuantity,
  findOfferProblem,
  quantityProblem,
  withoutReserved,
} from '#domain/cart/cart.ts'
import { toFormDetail } from '#domain/catalog/form-label.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import { toMedicine, unitsOf } from '#domain/dispensing/medicine.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'

/** A requested item. Without a price: the shop decides what it costs. */
export type CheckoutItem = { productVariantId: string; quantity: number }

/**
 * Validates the requested items without the database and merges them to one per variant, sorted by
 * variant id. All stock changes use this order to avoid deadlocks. Throws INVALID (items).
 */
export function normalizeItems(items: readonly CheckoutItem[]): CheckoutItem[] {
  if (items.length === 0) reject('Choose at least one item.')
  if (items.length > maxLines) reject(`An order can have at most ${maxLines} different items.`)
  const quantities = new Map<string, number>()
  for (const { productVariantId, quantity } of items) {
    if (!isId(productVariantId)) reject('One of the items is no longer available.')
    const sum = (quantities.get(productVariantId) ?? 0) + quantity
    const problem = quantityProblem(quantity) ?? (sum > maxQuantity ? quantityProblem(sum) : null)
    if (problem) reject(problem)
    quantities.set(productVariantId, sum)
  }
  return [...quantities]
    .map(([productVariantId, quantity]) => ({ productVariantId, quantity }))
    .toSorted((a, b) => (a.productVariantId < b.productVariantId ? -1 : 1))
}

/**
 * Freezes and reserves items at current prices in the caller's transaction. Throws INVALID (items)
 * when one is no longer on sale, and CONFLICT when too little is in stock.
 * @param items from `normalizeItems`
 * @returns the lines, and the variants among them that have lots
 */
export async function freezeLines(
  ctx: Context,
  items: readonly CheckoutItem[],
): Promise<{ lines: FrozenLine[]; withLots: ReadonlySet<string> }> {
  const ids = items.map((item) => item.productVariantId)
  const reservations = items.map(({ productVariantId: variantId, quantity }) =>
    reserveStock(ctx.db, { variantId, quantity, usableUntil: usableUntil(ctx.now, 0) }),
  )
  // Read after locking the rows, so that prices and stock cannot change before the commit.
  const [wasReserved, rows] = await pipeline(pipeline(...reservations), listOffers(ctx.db, ids))
  const reserved = new Set(ids.filter((_, i) => wasReserved[i]))
  const offers = new Map(rows.map((row) => [row.id, row]))
  const lines = items.map(({ productVariantId, quantity }) => {
    const offer = offers.get(productVariantId) ?? reject('One of the items is no longer available.')
    const isReserved = reserved.has(productVariantId)
    const reservedByOthers = offer.reservedQuantity - (isReserved && offer.trackInventory ? quantity : 0)
    const problem =
      findOfferProblem(withoutReserved(offer, reservedByOthers), quantity) ??
      (isReserved ? null : 'Out of stock.')
    if (problem) throw new AppError('CONFLICT', `${offer.productName}: ${problem}`)
    return toFrozenLine(offer, quantity, ctx.now)
  })
  return { lines, withLots: variantsWithLots(rows) }
}

/** The ids of the offered variants that have lots. */
export const variantsWithLots = (offers: readonly Pick<OfferRow, 'id' | 'hasLots'>[]): ReadonlySet<string> =>
  new Set(offers.flatMap(({ id, hasLots }) => (hasLots ? [id] : [])))

const toFrozenLine = (offer: OfferRow, quantity: number, now: Date): FrozenLine => ({
  id: newId(now.getTime()),
  productVariantId: offer.id,
  quantity,
  priceCents: offer.priceCents ?? 0,
  isTracked: offer.trackInventory,
  product: { id: offer.productId, name: offer.productName, category: offer.productCategory },
  variant: {
    brandName: offer.brandName,
    strength: offer.strength,
    strengthUnit: offer.strengthUnit,
    dosageForm: offer.dosageForm,
    formDetail: toFormDetail(offer.dosageForm, offer.labelForm),
    packageSize: offer.packageSize,
    packageUnit: offer.packageUnit,
  },
  ...(offer.productCategory === 'Rx' ? prescribedPart(offer, quantity) : {}),
})

/** What a prescription is compared with. */
function prescribedPart(offer: OfferRow, quantity: number): Pick<FrozenLine, 'medicine' | 'units'> {
  const source = { product: { ...offer, name: offer.productName }, variant: offer }
  return { medicine: toMedicine(source), units: unitsOf(source, quantity) }
}

function reject(message: string): never {
  throw new AppError('INVALID', undefined, { fields: { items: message } })
}
