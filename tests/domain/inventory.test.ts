import { maxChange, maxStock, stockAfter } from '#domain/inventory/inventory.ts'
import { expect, test } from 'vitest'

test.each([
  [5, 3, 8],
  [5, -5, 0],
  [0, maxChange, maxChange],
  [maxStock - 1, 1, maxStock],
])('%i on hand, changed by %i, leaves %i', (onHand, change, after) => {
  expect(stockAfter(onHand, change)).toBe(after)
})

test.each([
  [5, 0],
  [5, -6],
  [5, 1.5],
  [5, Number.NaN],
  [5, maxChange + 1],
  [maxChange * 2, -maxChange - 1],
  [maxStock, 1],
])('%i on hand: a change by %d is invalid', (onHand, change) => {
  expect(stockAfter(onHand, change)).toBeNull()
})
