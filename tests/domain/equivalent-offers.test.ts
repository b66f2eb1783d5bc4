import type { VariantDetail } from '#domain/catalog/catalog.ts'
import {
  listEquivalentOffers,
  listOffersInstead,
  mayReplace,
  needsRating,
} from '#domain/screening/equivalent-offers.ts'
import { variantDetail } from '#tests/support/variant-detail.ts'
import { expect, test } from 'vitest'

const tablet = { code: 'AB', form: 'tablet', group: 'metformin tablet 500 AB' }

/** Variants, each with its rating and application. */
type Offer = { variant: VariantDetail; rating?: typeof tablet; application: string }
const offer = (
  id: string,
  application: string,
  changes: Partial<VariantDetail> = {},
  rating: typeof tablet | undefined = tablet,
): Offer => ({ variant: variantDetail({ id, manufacturerId: application, ...changes }), rating, application })
const unrated = (id: string, application: string): Offer => ({ variant: variantDetail({ id }), application })

const ratedOf = (offers: readonly Offer[]) => ({
  ratings: new Map(offers.flatMap(({ variant, rating }) => (rating ? [[variant.id, rating] as const] : []))),
  applications: new Map(offers.map(({ variant, application }) => [variant.id, application])),
})
const list = (offers: readonly Offer[], selectedId: string | null = null) =>
  listEquivalentOffers(
    offers.map(({ variant }) => variant),
    ratedOf(offers),
    selectedId,
  )
const insteadOf = (id: string, offers: readonly Offer[]) =>
  listOffersInstead(
    offers.map(({ variant }) => variant),
    ratedOf(offers),
    id,
  ).map((each) => each.id)
const idsOf = (offers: readonly VariantDetail[] = []) => offers.map(({ id }) => id)

test('equivalents of several applications are listed, the cheapest per unit first', () => {
  const [group, ...others] = list([
    offer('a', 'NDA1', { price: '30.00' }),
    offer('b', 'ANDA2', { price: '20.00', packageSize: 100 }),
    offer('c', 'ANDA3', { price: '9.00' }),
  ])
  expect(others).toEqual([])
  expect(group).toMatchObject({ code: 'AB', name: '500 mg tablet', isChoice: true, ids: ['a', 'b', 'c'] })
  expect(idsOf(group?.offers)).toEqual(['b', 'c', 'a'])
})

test('each brand and manufacturer is listed once, with its cheapest package per unit', () => {
  const [group] = list([
    offer('a', 'NDA1', { price: '30.00' }),
    offer('b', 'NDA1', { price: '80.00', packageSize: 100 }),
    offer('c', 'ANDA2', { price: '40.00' }),
    offer('d', 'ANDA2', { price: '41.00', brandName: 'Brand' }),
  ])
  expect(idsOf(group?.offers)).toEqual(['b', 'c', 'd'])
})

test('of packages at the same price per unit, the smaller one comes first', () => {
  const [group] = list([
    offer('a', 'NDA1', { price: '20.00', packageSize: 60 }),
    offer('b', 'ANDA2', { price: '10.00', packageSize: 30 }),
  ])
  expect(idsOf(group?.offers)).toEqual(['b', 'a'])
})

test('medicines of another rating, form, strength, unit or product are not compared', () => {
  const others = [
    offer('b', 'ANDA2', {}, { ...tablet, group: 'metformin tablet 500 AB1' }),
    offer('c', 'ANDA3', { dosageForm: 'capsule' }),
    offer('d', 'ANDA4', { strength: '850' }),
    offer('e', 'ANDA5', { strengthUnit: 'g' }),
    offer('f', 'ANDA6', { packageUnit: 'carton' }),
    offer('g', 'ANDA7', { productId: 'other' }),
    unrated('h', 'ANDA8'),
  ]
  const own = offer('a', 'NDA1')
  expect(list([own, ...others])).toEqual([])
  expect(insteadOf('a', [own, ...others])).toEqual([])
})

test('packages of one application have no equivalents', () => {
  expect(list([offer('a', 'NDA1'), offer('b', 'NDA1', { packageSize: 100 })])).toEqual([])
})

test('a variant out of stock or without a price is not offered, but its equivalents are', () => {
  const [group] = list([
    offer('a', 'NDA1', { inStock: false }),
    offer('b', 'ANDA2'),
    offer('c', 'ANDA3', { price: null }),
    offer('d', 'ANDA4', { price: '0.00' }),
  ])
  expect(idsOf(group?.offers)).toEqual(['b'])
  expect(group).toMatchObject({ isChoice: false, ids: ['a', 'c', 'd'] })
  expect(list([offer('a', 'NDA1', { inStock: false }), offer('b', 'ANDA2', { inStock: false })])).toEqual([])
})

test('the saving is against the selected variant, or else against the most expensive offer', () => {
  const offers = [
    offer('a', 'NDA1', { price: '40.00' }),
    offer('b', 'ANDA2', { price: '20.00' }),
    offer('c', 'ANDA3', { price: '10.00' }),
  ]
  const savingOf = (selectedId: string | null) => list(offers, selectedId)[0]?.saving
  expect(savingOf('b')).toMatchObject({ variantId: 'c', percent: 50, perPack: '10.00', against: { id: 'b' } })
  expect(savingOf(null)).toMatchObject({ percent: 75, perPack: '30.00', against: { id: 'a' } })
  // The cheapest is selected.
  expect(savingOf('c')).toMatchObject({ percent: 75, against: { id: 'a' } })
})

test('another pack of the same application saves nothing as an equivalent', () => {
  const [group] = list(
    [
      offer('a', 'NDA1', { price: '40.00' }),
      offer('b', 'NDA1', { price: '50.00', packageSize: 100 }),
      offer('c', 'ANDA2', { inStock: false }),
    ],
    'a',
  )
  expect(group).toMatchObject({ ids: ['c'], saving: null })
})

test('the selected variant’s group is first, then groups with a choice', () => {
  const weak = { ...tablet, group: 'weak' }
  const strong = { ...tablet, group: 'strong' }
  const offers = [
    offer('a', 'NDA1', { strength: '1' }, weak),
    offer('b', 'ANDA2', { strength: '1', inStock: false }, weak),
    offer('c', 'NDA1'),
    offer('d', 'ANDA2'),
    offer('e', 'NDA1', { strength: '2' }, strong),
    offer('f', 'ANDA2', { strength: '2' }, strong),
  ]
  const orderOf = (selectedId: string | null) => list(offers, selectedId).map(({ ids }) => ids[0])
  expect(orderOf(null)).toEqual(['c', 'e', 'b'])
  expect(orderOf('f')).toEqual(['e', 'c', 'b'])
  expect(orderOf('b')).toEqual(['b', 'c', 'e'])
})

test('equivalents in stock replace a variant, including those of its own application', () => {
  const offers = [
    offer('a', 'NDA1', { inStock: false }),
    offer('b', 'NDA1', { price: '30.00', packageSize: 90 }),
    offer('c', 'ANDA2', { price: '9.00' }),
    offer('d', 'ANDA3', { inStock: false }),
  ]
  expect(insteadOf('a', offers)).toEqual(['c', 'b'])
  expect(insteadOf('unknown', offers)).toEqual([])
  expect(insteadOf('e', [...offers, unrated('e', 'ANDA4')])).toEqual([])
})

test('a US prescription brand is replaced only by a generic with the same rating', () => {
  const brand = variantDetail({ id: 'brand', brandName: 'Brand', ndc: '0378-1089-05' })
  const generic = variantDetail({ id: 'generic' })
  const replaces = (ratings: [string, typeof tablet][]) =>
    mayReplace('Rx', { brand, generic }, new Map(ratings))
  expect(
    replaces([
      ['brand', tablet],
      ['generic', tablet],
    ]),
  ).toBe(true)
  expect(
    replaces([
      ['brand', tablet],
      ['generic', { ...tablet, group: 'AB1' }],
    ]),
  ).toBe(false)
  expect(replaces([['brand', tablet]])).toBe(false)
  expect(replaces([['generic', tablet]])).toBe(false)
  expect(replaces([])).toBe(false)
})

test('without a prescription or outside the US, the link between brand and generic decides', () => {
  const brand = variantDetail({ ndc: '0378-1089-05' })
  const canadian = variantDetail({ din: '2237998' })
  expect([needsRating('Rx', brand), needsRating('OTC', brand), needsRating('Rx', canadian)]).toEqual([
    true,
    false,
    false,
  ])
  expect(mayReplace('OTC', { brand, generic: variantDetail() }, new Map())).toBe(true)
  expect(mayReplace('Rx', { brand: canadian, generic: variantDetail() }, new Map())).toBe(true)
})
