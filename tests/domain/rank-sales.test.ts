import { rankSales, type SalesByProduct } from '#domain/dashboard/rank-sales.ts'
import { expect, test } from 'vitest'

const sales = (
  units: Record<string, number>,
  previousUnits: Record<string, number> = {},
): SalesByProduct => ({
  units: new Map(Object.entries(units)),
  previousUnits: new Map(Object.entries(previousUnits)),
})

test('products rank by the units of both parts, those with as many by id, without those of no units', () => {
  const known = sales({ a: 5, b: 3, c: 3, d: 9, e: 1 }, { b: 2, x: 7 })
  const recent = sales({ d: -9, e: 2, f: 4, g: -1 }, { b: 1, f: 6 })
  const ranked = [
    { productId: 'a', units: 5, previousUnits: 0 },
    { productId: 'f', units: 4, previousUnits: 6 },
    { productId: 'b', units: 3, previousUnits: 3 },
    { productId: 'c', units: 3, previousUnits: 0 },
    { productId: 'e', units: 3, previousUnits: 0 },
  ]
  expect(rankSales(known, recent, 10)).toEqual(ranked)
  expect(rankSales(known, recent, 3)).toEqual(ranked.slice(0, 3))
  expect(rankSales(sales({}), sales({}), 5)).toEqual([])
})
