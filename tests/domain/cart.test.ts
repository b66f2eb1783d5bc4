import { cartTotals, maxLines, parseStoredCart } from '#domain/cart/cart.ts'
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
  const { lines, cleaned } = parseStoredCart(
    JSON.stringify([good, { quantity: 1 }, null, 7, line(5, 1), { variant: {} }, line('a'.repeat(65), 1)]),
  )
  expect(lines).toEqual([{ variantId: 'a', quantity: 2 }])
  expect(cleaned).toEqual([good])
})

test.each([0, -1, 1.5, 1e9, 'x', null, undefined])('a stored quantity of %j is not imported', (quantity) => {
  expect(parseStoredCart(JSON.stringify([line('a', quantity)])).lines).toEqual([])
})

test.each(['', '{', '{}', '"x"', 'null', '1'])('%j is not a stored cart', (text) => {
  expect(() => parseStoredCart(text)).toThrow(SyntaxError)
})

test('at most fifty stored lines are imported', () => {
  const stored = Array.from({ length: 60 }, (_, i) => line(`v${i}`, 1))
  expect(parseStoredCart(JSON.stringify(stored)).lines).toHaveLength(maxLines)
})
