import type { VariantDetail } from '#domain/catalog/catalog.ts'
import {
  narrowVariants,
  pricePerUnit,
  computeSaving,
  findOpenChoice,
  listOffers,
  offerHeadings,
  sortByOffer,
} from '#domain/catalog/variant-choice.ts'
import { variantDetail as variant } from '#tests/support/variant-detail.ts'
import { expect, test } from 'vitest'

test('form, then strength, then brand and package narrow the list', () => {
  const variants = [
    variant(),
    variant({ strength: '1000' }),
    variant({ strength: '1000', brandName: 'Glucophage' }),
    variant({
      dosageForm: 'liquid',
      strength: '100',
      strengthUnit: 'mg/mL',
      packageSize: 150,
      packageUnit: 'mL',
    }),
  ]
  const { facets, matching } = narrowVariants(variants, { form: 'tablet', strength: '1000 mg' })
  expect(facets).toEqual([
    { facet: 'form', selected: 'tablet', options: ['liquid', 'tablet'] },
    { facet: 'strength', selected: '1000 mg', options: ['500 mg', '1000 mg'] },
    { facet: 'brand', selected: null, options: ['Generic', 'Glucophage'] },
    { facet: 'pack', selected: null, options: ['30 tablets'] },
  ])
  expect(matching).toEqual([variants[1], variants[2]])
})

test('a value that earlier facets rule out is not selected', () => {
  const variants = [variant(), variant({ dosageForm: 'liquid', strength: '100' })]
  const { facets, matching } = narrowVariants(variants, {
    form: 'tablet',
    strength: '100 mg',
    pack: 'nonsense',
  })
  expect(facets.map(({ selected: chosen }) => chosen)).toEqual(['tablet', null, null, null])
  expect(matching).toEqual([variants[0]])
})

test('purchasable variants come first, then the lowest price', () => {
  const expensive = variant({ price: '20.00' })
  const cheap = variant({ price: '9.50' })
  const out = variant({ price: '1.00', inStock: false })
  const unpriced = variant({ price: null })
  expect(sortByOffer([unpriced, out, expensive, cheap])).toEqual([cheap, expensive, out, unpriced])
})

test('offers are listed by form and release, then by amount in any unit, then by the best offer', () => {
  const ofStrength = (strength: string, strengthUnit: string, overrides: Partial<VariantDetail> = {}) =>
    variant({ strength, strengthUnit, ...overrides })
  const capsule = ofStrength('800', 'mg', { dosageForm: 'capsule', price: '1.00' })
  const ordered = [
    capsule,
    ofStrength('50', 'mcg'),
    ofStrength('0.1', 'mg'),
    ofStrength('2.5/325', 'mg'),
    ofStrength('10/325', 'mg'),
    ofStrength('800', 'mg', { price: '1.00' }),
    ofStrength('1', 'g', { price: '4.00' }),
    ofStrength('1000', 'mg', { price: '5.00' }),
    ofStrength('125', 'mg/5 mL'),
    ofStrength('50', 'mg/mL'),
    ofStrength('1', '%'),
    ofStrength('10000', 'USP units'),
    ofStrength('', ''),
    ofStrength('1', 'g', { labelForm: 'TABLET, EXTENDED RELEASE', price: '2.00' }),
    ofStrength('5', 'mg', { dosageForm: null }),
  ]
  expect(listOffers(sortByOffer(ordered.toReversed()), 24)).toEqual(ordered)
})

test('a long list shows an offer of every strength before a second offer of one', () => {
  const cheap = Array.from({ length: 40 }, (_, index) => variant({ strength: '800', packageSize: index + 1 }))
  const others = ['100', '300', '400'].map((strength) => variant({ strength, price: '99.00' }))
  const listed = listOffers(sortByOffer([...cheap, ...others]), 6)
  expect(listed.map(({ strength }) => strength)).toEqual(['100', '300', '400', '800', '800', '800'])
  // No strength is left out of a list that is too short for all.
  const shortened = listOffers(sortByOffer([...cheap, ...others]), 3)
  expect(shortened.map(({ strength }) => strength)).toEqual(['100', '300', '400', '800'])
})

test.each([
  ['strengths', 'strength', [{}, { strength: '800' }]],
  ['strengths and forms', 'strength', [{}, { strength: '800', dosageForm: 'capsule' }]],
  ['strengths without an amount', 'strength', [{ strength: 'low' }, { strength: 'high' }]],
  ['forms', 'form', [{}, { dosageForm: 'capsule' }]],
  ['releases', 'form', [{ labelForm: 'TABLET, FILM COATED' }, { labelForm: 'TABLET (SUSTAINED-RELEASE)' }]],
  [
    'spellings of one release',
    null,
    [{ labelForm: 'TABLET, EXTENDED RELEASE' }, { labelForm: 'TABLET (EXTENDED-RELEASE)' }],
  ],
  ['coatings of a plain form', null, [{ labelForm: 'TABLET, FILM COATED' }, { labelForm: null }]],
  [
    'coatings of an extended release, which may last 12 or 24 hours',
    'form',
    [{ labelForm: 'TABLET, FILM COATED, EXTENDED RELEASE' }, { labelForm: 'TABLET, EXTENDED RELEASE' }],
  ],
  [
    'the label’s own forms',
    'form',
    [
      { dosageForm: 'cream', labelForm: 'CREAM' },
      { dosageForm: 'cream', labelForm: 'POWDER' },
    ],
  ],
  [
    'liposomes',
    'form',
    [
      { dosageForm: 'injection', labelForm: 'INJECTABLE' },
      { dosageForm: 'injection', labelForm: 'INJECTABLE, LIPOSOMAL' },
    ],
  ],
  ['salts', 'ingredient', [{ genericName: 'Doxycycline' }, { genericName: 'Doxycycline hyclate' }]],
  [
    'packs, brands and spellings of one strength',
    null,
    [
      { packageSize: 90, brandName: 'Glucophage' },
      { strength: '0.5', strengthUnit: 'g' },
    ],
  ],
] as const)('of variants that differ in %s, the open choice is %s', (_, expected, overrides) => {
  expect(findOpenChoice(overrides.map((each) => variant(each)))).toBe(expected)
})

test.each([
  ['10.00', 30, 10 / 30],
  ['10.00', 0, 10],
  [null, 30, null],
])('%s for a pack of %s is %s a unit', (price, packageSize, expected) => {
  expect(pricePerUnit({ price, packageSize })).toBe(expected)
})

test("the generic's saving is for the same amount of medicine", () => {
  const brand = variant({ brandName: 'Glucophage', price: '60.00', packageSize: 60 })
  const generic = variant({ price: '10.00', packageSize: 100 })
  expect(computeSaving(brand, generic)).toEqual({ variantId: generic.id, percent: 90, perPack: '54.00' })
})

test('offers are headed by the form of their label, and by their salt where the product has several', () => {
  const offers = [
    variant({ labelForm: 'TABLET, FILM COATED' }),
    variant({ labelForm: 'TABLET (EXTENDED-RELEASE)' }),
    variant({ dosageForm: null }),
  ]
  expect(offers.map(offerHeadings(offers))).toEqual(['tablet', 'tablet, extended release', 'form not stated'])
  const salts = ['Doxycycline', 'Doxycycline hyclate'].map((genericName) => variant({ genericName }))
  expect(salts.map(offerHeadings(salts))).toEqual(['tablet, doxycycline', 'tablet, doxycycline hyclate'])
  expect(salts.slice(1).map(offerHeadings(salts.slice(1)))).toEqual([null])
})

test.each([
  ['nothing to compare with', undefined],
  ['another unit', variant({ price: '10.00', packageUnit: '12 × 7' })],
  ['a generic cheaper by less than half a percent', variant({ price: '59.80' })],
  ['a dearer generic', variant({ price: '90.00' })],
  ['an unpriced generic', variant({ price: null })],
])('%s saves nothing', (_, generic) => {
  expect(computeSaving(variant({ brandName: 'Glucophage', price: '60.00' }), generic)).toBeNull()
})
