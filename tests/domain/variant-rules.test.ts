import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import {
  applyVariantChanges,
  changesIdentifiers,
  changesSearchTerms,
  resolveInStock,
  variantReferenceErrors,
  type EditableVariant,
} from '#domain/catalog/variant-rules.ts'
import { scheduleOfName } from '#server/catalog/directory/schedules.ts'
import { expect, test } from 'vitest'

const tracked = (stockQuantity: number, inStock = stockQuantity > 0) => ({
  trackInventory: true,
  stockQuantity,
  inStock,
})
const untracked = (inStock: boolean) => ({ trackInventory: false, stockQuantity: 0, inStock })

test.each([
  ['a new variant with stock', null, tracked(5), undefined, true],
  ['a new variant without stock', null, tracked(0), undefined, false],
  ['a new variant without stock, requested in stock', null, tracked(0), true, null],
  ['a new variant with stock, turned off', null, tracked(5), false, false],
  ['a new untracked variant', null, untracked(true), undefined, true],
  ['stock that leaves zero', tracked(0), tracked(5), undefined, true],
  ['stock that leaves zero, turned off', tracked(0), tracked(5), false, false],
  ['stock that reaches zero', tracked(5), tracked(0), undefined, false],
  ['stock that reaches zero, requested in stock', tracked(5), tracked(0), true, null],
  ['a variant turned off that changes otherwise', tracked(5, false), tracked(6), undefined, false],
  ['a variant turned on again', tracked(5, false), tracked(5), true, true],
  ['a variant newly tracked, with no stock', untracked(true), tracked(0), undefined, false],
  ['a variant newly tracked, with stock', untracked(true), tracked(3), undefined, true],
  ['a variant no longer tracked', tracked(0), untracked(true), undefined, false],
  ['a variant no longer tracked, turned on', tracked(0), untracked(true), true, true],
])('%s', (_, before, after, requested, expected) => {
  expect(resolveInStock(before, after, requested)).toBe(expected)
})

test.each([
  ['Oxycodone forte', 'CSA schedule II'],
  ['OXYCODONE', 'CSA schedule II'],
  ['Acetaminophen and codeine', 'CSA schedule II'],
  ['Pregabalin 75', 'CSA schedule V'],
  ['Ibuprofen', null],
  ['', null],
])('a product named %j has schedule %j', (name, schedule) => {
  expect(scheduleOfName(name)).toBe(schedule)
})

test.each(['/img/p/a.png', '/apis/a.png', '/pictures/api/a.png', '/a%20b.png'])(
  'a picture may have the path %j',
  (image) => {
    expect(newProductSchema.safeParse({ name: 'A', image }).success).toBe(true)
  },
)

test('a new product or variant gets the defaults of the contract', () => {
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

const variant = (overrides: Partial<EditableVariant> = {}): EditableVariant => ({
  id: 'v',
  productId: 'p',
  brandName: null,
  manufacturerId: 'm',
  dosageForm: 'tablet',
  strength: '200',
  strengthUnit: 'mg',
  packageSize: 24,
  packageUnit: 'tablet',
  priceCents: 500,
  acquisitionCostCents: 200,
  sku: 'A-1',
  upc: null,
  ndc: '0228-2899-96',
  din: null,
  inStock: true,
  stockQuantity: 5,
  trackInventory: true,
  linkedVariantId: 'generic',
  ...overrides,
})

test.each([
  ['nothing', {}, {}],
  ['a price', { price: 650 }, { priceCents: 650 }],
  ['a cleared cost', { acquisitionCost: null }, { acquisitionCostCents: null }],
  ['a cleared brand', { brandName: null }, { brandName: null }],
  ['stock that reaches zero', { stockQuantity: 0 }, { stockQuantity: 0, inStock: false }],
  ['another product', { productId: 'q' }, { productId: 'q', linkedVariantId: null }],
  [
    'another product and a link there',
    { productId: 'q', linkedVariantId: 'other' },
    { productId: 'q', linkedVariantId: 'other' },
  ],
])('an edit of %s changes only that', (_, changes, expected) => {
  expect(applyVariantChanges(variant(), changes)).toEqual({ ...variant(), ...expected })
})

test('an edit that contradicts the stock is refused', () => {
  expect(applyVariantChanges(variant(), { stockQuantity: 0, inStock: true })).toBeNull()
})

test('only some fields are search terms or identifiers', () => {
  expect(changesSearchTerms(variant(), variant({ priceCents: 1, stockQuantity: 1, sku: 'B' }))).toBe(false)
  expect(changesSearchTerms(variant(), variant({ brandName: 'Advil' }))).toBe(true)
  expect(changesIdentifiers(variant(), variant({ sku: 'B' }))).toBe(false)
  expect(changesIdentifiers(variant(), variant({ ndc: null }))).toBe(true)
})

test.each([
  ['both references valid', {}, []],
  ['none', { manufacturerId: null, linkedVariantId: null }, []],
  ['an unknown manufacturer', { manufacturerId: 'unknown' }, ['manufacturerId']],
  ['an unknown variant', { linkedVariantId: 'unknown' }, ['linkedVariantId']],
  ['a variant of another product', { linkedVariantId: 'foreign' }, ['linkedVariantId']],
  ['itself', { linkedVariantId: 'v' }, ['linkedVariantId']],
  [
    'two unknown references',
    { manufacturerId: 'unknown', linkedVariantId: 'unknown' },
    ['manufacturerId', 'linkedVariantId'],
  ],
])('a variant with %s has the expected errors', (_, overrides, fields) => {
  const products = new Map([
    ['v', 'p'],
    ['generic', 'p'],
    ['foreign', 'q'],
  ])
  const errors = variantReferenceErrors(variant(overrides), {
    hasManufacturer: (id) => id === 'm',
    productIdOf: (id) => products.get(id),
  })
  expect(Object.keys(errors)).toEqual(fields)
})
