import type { ProductSales } from './dashboard.ts'

/** Units by product id, in a period and in the one before it. */
export type SalesByProduct = {
  units: ReadonlyMap<string, number>
  previousUnits: ReadonlyMap<string, number>
}

/** More units first; products with as many by id. */
const isBefore = (a: ProductSales, b: ProductSales): boolean =>
  a.units > b.units || (a.units === b.units && a.productId < b.productId)

/**
 * The products with the most units in the sum of two parts. It looks at each product once and
 * copies nothing: a large shop has a hundred thousand.
 */
export function rankSales(known: SalesByProduct, recent: SalesByProduct, limit: number): ProductSales[] {
  const top: ProductSales[] = []
  const consider = (productId: string, units: number): void => {
    if (units <= 0) return
    const last = top[limit - 1]
    if (last && last.units > units) return
    const sales = { productId, units, previousUnits: 0 }
    const place = top.findIndex((other) => isBefore(sales, other))
    top.splice(place === -1 ? top.length : place, 0, sales)
    if (top.length > limit) top.pop()
  }
  for (const [id, units] of known.units) consider(id, units + (recent.units.get(id) ?? 0))
  for (const [id, units] of recent.units) if (!known.units.has(id)) consider(id, units)
  const previousUnits = (id: string): number =>
    (known.previousUnits.get(id) ?? 0) + (recent.previousUnits.get(id) ?? 0)
  return top.map((sales) => ({ ...sales, previousUnits: previousUnits(sales.productId) }))
}
