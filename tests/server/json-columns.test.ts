import {
  parseCells,
  parseChanges,
  parseFields,
  parseMapping,
  parseNameLabels,
} from '#db/catalog/json-columns.ts'
import { expect, test } from 'vitest'

test('stored JSON is parsed unchanged', () => {
  const mapping = { columns: { sku: 0, price: 2 }, adds: true, clears: false }
  expect(parseMapping(JSON.stringify(mapping))).toEqual(mapping)
  const changes = { price: ['5.00', '6.50'], inStock: [true, false], upc: [null, '036000291452'] }
  expect(parseChanges(JSON.stringify(changes))).toEqual(changes)
  expect(parseFields('{"name":"A","stockQuantity":3}')).toEqual({ name: 'A', stockQuantity: 3 })
  expect(parseCells('["a",""]')).toEqual(['a', ''])
  expect(parseNameLabels([['brand', 'Zoloft', 'zoloft']])).toEqual(['Zoloft'])
  expect(parseNameLabels(null)).toEqual([])
})

test.each([
  ['cells', () => parseCells('["a",1]')],
  ['changes', () => parseChanges('{"price":["5.00"]}')],
  ['fields', () => parseFields('{"name":{}}')],
  ['a mapping', () => parseMapping('{"columns":{"color":1},"adds":true,"clears":false}')],
  ['names', () => parseNameLabels([['brand']])],
  ['broken JSON', () => parseCells('[')],
])('%s of another shape throw', (_, parse) => {
  expect(parse).toThrow(Error)
})
