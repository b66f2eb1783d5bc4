import {
  cartTotals,
  describePriceChange,
  emptyCart,
  findOfferProblem,
  maxLines,
  maxQuantity,
  parseStoredCart,
  quantityProblem,
  withoutReserved,
  type Offer,
} from '#domain/cart/cart.ts'
import { expect, test } from 'vitest'

const line = (id: unknown, quantity: unknown) => ({ product: { id: 'p' }, variant: { id }, quantity })

test('totals count every unit and add up cents', () => {
  expect(
    cartTotals([
      { quantity: 3, priceCents: 333 },
      { quantity: 1, priceCents: null },
      { quantity: 2, priceCents: 1 },
    ]),
  ).toEqual({
    count: 6,
    total: '10.01',
  })
})

test('stored lines without a variant are dropped from the cleaned cart', () => {
  const good = line('a', 2)
  const longest = line('a'.repeat(64), 1)
  const withoutQuantity = { variant: { id: 'b' } }
  const { lines, cleaned } = parseStoredCart(
    JSON.stringify([
      good,
      { quantity: 1 },
      null,
      7,
      line(5, 1),
      { variant: {} },
      { variant: null },
      { variant: 'a' },
      line({ length: 1 }, 1),
      line('a'.repeat(65), 1),
      longest,
      withoutQuantity,
    ]),
  )
  expect(lines).toEqual([
    { variantId: 'a', quantity: 2 },
    { variantId: 'a'.repeat(64), quantity: 1 },
  ])
  expect(cleaned).toEqual([good, longest, withoutQuantity])
})

test.each([0, -1, 1.5, 1e9, 'x', null, undefined])('a stored quantity of %j is not imported', (quantity) => {
  expect(parseStoredCart(JSON.stringify([line('a', quantity)])).lines).toEqual([])
})

test.each(['', '{', '{}', '"x"', 'null', '1'])('%j is not a stored cart', (text) => {
  expect(() => parseStoredCart(text)).toThrow(SyntaxError)
})

test('the error of another JSON value says what was expected', () => {
  expect(() => parseStoredCart('{}')).toThrow('The stored cart is not an array.')
})

test('at most fifty stored lines are imported', () => {
  const stored = Array.from({ length: 60 }, (_, i) => line(`v${i}`, 1))
  expect(parseStoredCart(JSON.stringify(stored)).lines).toHaveLength(maxLines)
})

test('an empty cart costs nothing', () => {
  expect(emptyCart).toEqual({ lines: [], ...cartTotals([]) })
  expect(cartTotals([])).toEqual({ count: 0, total: '0.00' })
})

test.each([
  [1, null],
  [maxQuantity, null],
  [maxQuantity + 1, 'Quantity must be at most 999.'],
  [0, 'Quantity must be at least 1.'],
  [-1, 'Quantity must be at least 1.'],
  [1.5, 'Quantity must be a whole number.'],
  [Number.NaN, 'Quantity must be a whole number.'],
])('a quantity of %d: %s', (quantity, problem) => {
  expect(quantityProblem(quantity)).toBe(problem)
})

const offer = (changes: Partial<Offer> = {}): Offer => ({
  priceCents: 1250,
  inStock: true,
  stockQuantity: 5,
  trackInventory: true,
  controlledSchedule: null,
  ...changes,
})

test.each([
  [{}, 1, null],
  [{}, 5, null],
  [{}, 6, 'Only 5 in stock.'],
  [{ stockQuantity: 0 }, 1, 'Out of stock.'],
  [{ inStock: false }, 1, 'Out of stock.'],
  [{ trackInventory: false, stockQuantity: 0 }, 9, null],
  [{ trackInventory: false, inStock: false }, 1, 'Out of stock.'],
  [{ priceCents: null }, 1, 'This variant has no price and can’t be bought.'],
  [{ priceCents: 0 }, 1, 'This variant has no price and can’t be bought.'],
  [{ controlledSchedule: 'CII', priceCents: null }, 1, 'Not available online.'],
])('an offer %j for %i: %s', (changes, quantity, problem) => {
  expect(findOfferProblem(offer(changes), quantity)).toBe(problem)
})

test.each([
  [0, 5],
  [2, 3],
  [5, 0],
  [7, 0],
  // A sum that a race left below zero gives no stock.
  [-3, 5],
])('%i units that others reserved leave %i', (reserved, left) => {
  expect(withoutReserved(offer(), reserved)).toEqual(offer({ stockQuantity: left }))
})

test.each([
  [1500, 1250, 'The price was $12.50 when you added it.'],
  [1000, 1250, 'The price was $12.50 when you added it.'],
  [1250, 1250, null],
  // A variant without a price can’t be bought, and has a message of its own.
  [null, 1250, null],
])('a price of %j that was %i: %s', (priceCents, addedPriceCents, text) => {
  expect(describePriceChange({ priceCents, addedPriceCents })).toBe(text)
})
