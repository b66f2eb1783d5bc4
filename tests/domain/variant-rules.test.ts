import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { standsInStock } from '#domain/catalog/variant-rules.ts'
import { scheduleInName } from '#server/catalog/directory/schedules.ts'
import { expect, test } from 'vitest'

const counted = (stockQuantity: number, inStock = stockQuantity > 0) => ({
  trackInventory: true,
  stockQuantity,
  inStock,
})
const uncounted = (inStock: boolean) => ({ trackInventory: false, stockQuantity: 0, inStock })

test.each([
  ['a new one with stock', null, counted(5), undefined, true],
  ['a new one without', null, counted(0), undefined, false],
  ['a new one without, said to be in stock', null, counted(0), true, null],
  ['a new one with stock, switched off', null, counted(5), false, false],
  ['a new uncounted one', null, uncounted(true), undefined, true],
  ['one whose stock leaves zero', counted(0), counted(5), undefined, true],
  ['one whose stock leaves zero, switched off', counted(0), counted(5), false, false],
  ['one whose stock reaches zero', counted(5), counted(0), undefined, false],
  ['one whose stock reaches zero, said to be in stock', counted(5), counted(0), true, null],
  ['one that is switched off and changes otherwise', counted(5, false), counted(6), undefined, false],
  ['one that is switched on again', counted(5, false), counted(5), true, true],
  ['one that is counted from now on, with none', uncounted(true), counted(0), undefined, false],
  ['one that is counted from now on, with some', uncounted(true), counted(3), undefined, true],
  ['one that is counted no longer', counted(0), uncounted(true), undefined, false],
  ['one that is counted no longer, switched on', counted(0), uncounted(true), true, true],
])('%s', (_, before, after, said, expected) => {
  expect(standsInStock(before, after, said)).toBe(expected)
})

test.each([
  ['Oxycodone forte', 'CSA schedule II'],
  ['OXYCODONE', 'CSA schedule II'],
  ['Acetaminophen and codeine', 'CSA schedule II'],
  ['Pregabalin 75', 'CSA schedule V'],
  ['Ibuprofen', null],
  ['', null],
])('a medicine called %j is under %j', (name, schedule) => {
  expect(scheduleInName(name)).toBe(schedule)
})

test('what is left out of a new product or variant is what the contract says', () => {
  expect(newProductSchema.parse({ name: ' A\u0000 ', image: ' /a.png ' })).toEqual({
    name: 'A',
    image: '/a.png',
    category: 'Rx',
    description: null,
    pharmacyId: null,
  })
  const parsed = newVariantSchema.parse({
    productId: 'p',
    strength: '5',
    strengthUnit: 'mg',
    packageSize: 1,
    packageUnit: 'tube',
    price: '3',
  })
  expect(parsed).toMatchObject({ price: 300, stockQuantity: 0, trackInventory: true, linkedVariantId: null })
  expect(parsed.inStock).toBeUndefined()
})
