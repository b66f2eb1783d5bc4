import { changedFields } from '#domain/catalog/catalog-history.ts'
import { identifierWarning } from '#domain/catalog/identifier-warnings.ts'
import { marginPermille, percentLabel } from '#domain/catalog/margin.ts'
import { expect, test } from 'vitest'

test.each([
  ['12.50', '5.00', 600],
  ['10.00', '6.67', 333],
  ['5.00', '5.00', 0],
  ['5.00', '7.50', -500],
  ['0.00', '1.00', null],
  [null, '1.00', null],
  ['1.00', null, null],
])('a price of %s at a cost of %s has a margin of %s permille', (price, acquisitionCost, permille) => {
  expect(marginPermille({ price, acquisitionCost })).toBe(permille)
})

test('formats a margin as a percentage with one decimal', () => {
  expect([333, 0, -500, 1000].map(percentLabel)).toEqual(['33.3 %', '0.0 %', '-50.0 %', '100.0 %'])
})

test.each([
  ['upc', '', null],
  ['upc', ' 036000291452 ', null],
  ['upc', '036000291453', /last digit/],
  ['upc', '03600029145', /12 digits/],
  ['ndc', '0228-2899-96', null],
  ['ndc', '00228289996', /dashes/],
  ['din', '02242974', null],
  ['din', '2242974', /8 digits/],
] as const)('warns about the %s %j as expected', (kind, text, message) => {
  const warning = identifierWarning(kind, text)
  if (message === null) expect(warning).toBeNull()
  else expect(warning).toMatch(message)
})

test('keeps only the changed fields, and null without changes', () => {
  const before = { name: 'A', price: '1.00', upc: null }
  expect(changedFields(before, before)).toBeNull()
  expect(changedFields(before, { ...before, price: '2.00', upc: 'x' })).toEqual({
    before: { price: '1.00', upc: null },
    after: { price: '2.00', upc: 'x' },
  })
})
