import { findImportWarning, findNewVariantWarning } from '#domain/catalog/import-warnings.ts'
import { expect, test } from 'vitest'

const variant = {
  strength: '500',
  strengthUnit: 'mg',
  dosageForm: 'tablet',
  packageSize: 30,
  packageUnit: 'tablet',
  ndc: '0228-2899-96',
  din: null,
  upc: null,
  manufacturerId: null,
} as const

const free = 'The new price is $0.00. Check it for a typo.'

test.each([
  [1299, 1300, null],
  [1299, 130, 'The new price is about 1/10 of the current price. Check it for a typo.'],
  [130, 1299, 'The new price is about 10 times the current price. Check it for a typo.'],
  [100, 899, null],
  [100, 900, 'The new price is about 9 times the current price. Check it for a typo.'],
  [899, 100, null],
  [900, 100, 'The new price is about 1/9 of the current price. Check it for a typo.'],
  [1299, 0, free],
  [null, 0, free],
  [0, 0, null],
  // Nothing to compare with.
  [null, 900_000, null],
  [0, 1299, null],
  [1299, undefined, null],
])('a price of %j cents that a file changes to %j: %j', (priceCents, price, warning) => {
  expect(findImportWarning({ ...variant, priceCents }, { price })).toBe(warning)
})

test('a line that changes the package and the price has a sentence for each', () => {
  expect(findImportWarning({ ...variant, priceCents: 1299 }, { strength: '250', price: 0 })).toBe(
    `This changes the strength. Packages in stock and orders stay as they are. To sell a different package, add a variant instead.\n${free}`,
  )
})

test.each([
  [0, free],
  [1, null],
])('a new variant with a price of %j cents: %j', (priceCents, warning) => {
  expect(findNewVariantWarning(priceCents)).toBe(warning)
})
