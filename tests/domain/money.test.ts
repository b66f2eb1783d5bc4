import { decimalFromCents, dollars, parseCents } from '#domain/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  ['12.50', 1250],
  ['12.5', 1250],
  ['12', 1200],
  ['0', 0],
  ['0.01', 1],
  ['0.1', 10],
  ['007.00', 700],
  ['999999999.99', 99_999_999_999],
])('reads %s as %d cents', (text, cents) => {
  expect(parseCents(text)).toBe(cents)
})

test.each([
  '',
  ' ',
  '.5',
  '1.',
  '1.234',
  '-1',
  '+1',
  '1,5',
  '1e3',
  '0x10',
  'NaN',
  '1000000000',
  '12.50\n',
  '١٢',
])('%j is not an amount', (text) => {
  expect(parseCents(text)).toBeNull()
})

test('writes cents with two decimals', () => {
  expect([0, 1, 10, 100, 1250, -5, -1250].map(decimalFromCents)).toEqual([
    '0.00',
    '0.01',
    '0.10',
    '1.00',
    '12.50',
    '-0.05',
    '-12.50',
  ])
})

test('reads back every amount that it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
      expect(parseCents(decimalFromCents(cents))).toBe(cents)
    }),
  )
})

test('shows a price with a dollar sign, from a decimal string or from cents', () => {
  expect(dollars('12.50')).toBe('$12.50')
  expect(dollars(1250)).toBe('$12.50')
  expect(dollars(5)).toBe('$0.05')
  expect([dollars('1234.50'), dollars(123_456_789), dollars('999.99')]).toEqual([
    '$1,234.50',
    '$1,234,567.89',
    '$999.99',
  ])
})
