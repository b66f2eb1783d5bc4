import { describeDirectoryProduct, joinSchedules } from '#server/catalog/directory/describe.ts'
import { linkToGenerics, type LinkableVariant } from '#server/catalog/directory/link-generics.ts'
import { fromNadacRow, findPrice, type PriceableVariant } from '#server/catalog/directory/nadac.ts'
import { RowRejectedError } from '#server/catalog/directory/columns.ts'
import { expect, test } from 'vitest'

const term = (drug_term: string, nadac_per_unit_usd = '0.10000', pricing_unit = 'EA') =>
  fromNadacRow({ drug_term, nadac_per_unit_usd, pricing_unit })

const variant = (change: Partial<PriceableVariant> = {}): PriceableVariant => ({
  brandName: null,
  dosageForm: 'tablet',
  strength: '25',
  strengthUnit: 'mg',
  packageSize: 30,
  packageUnit: 'tablet',
  labelForm: 'TABLET',
  ...change,
})

test.each([
  ['Losartan 25mg Tablet', ['losartan'], 'oral'],
  ['Lisinopril / HCTZ 10mg-12.5mg Tablet', ['hydrochlorothiazide', 'lisinopril'], 'oral'],
  ['Amlodipine Besylate-Benazepril HCl 5-20mg Capsule', ['amlodipine', 'benazepril'], 'oral'],
  ['Topiramate ER 50mg Capsule Extended Release', ['topiramate'], 'oral'],
  ['Ketoconazole 2% Cream', ['ketoconazole'], 'topical'],
  ['Bepotastine Besilate 1.5% Solution Dropper', ['bepotastine'], 'ophthalmic'],
])('"%s" prices %j, %s', (drugTerm, moieties, route) => {
  expect(term(drugTerm)).toMatchObject({ moieties, route })
})

test.each(['Sumatriptan 6mg/0.5ml Auto-injector Kit 2 Pens', 'Something without a strength'])(
  '"%s" is not matched by name',
  (drugTerm) => {
    expect(term(drugTerm)).toBeNull()
  },
)

test.each([
  ['0', 'EA'],
  ['-1', 'EA'],
  ['1.123456', 'EA'],
  ['0.1', 'BOX'],
])('a price of %s a %s is rejected', (price, unit) => {
  expect(() => term('Losartan 25mg Tablet', price, unit)).toThrow(RowRejectedError)
})

test('a price is the package cost plus 25 % and four dollars', () => {
  const losartan = term('Losartan 25mg Tablet', '0.02154')
  expect(losartan && findPrice(variant(), losartan)).toEqual({ acquisitionCostCents: 65, priceCents: 481 })
  expect(losartan && findPrice(variant({ packageSize: 1 }), losartan)).toEqual({
    acquisitionCostCents: 2,
    priceCents: 403,
  })
})

test.each([
  ['another strength', { strength: '50' }],
  ['another form', { dosageForm: 'capsule' }],
  ['another release', { labelForm: 'TABLET, EXTENDED RELEASE' }],
  ['an unstated pack', { packageUnit: 'package', packageSize: 1 }],
  ['a brand of its own', { brandName: 'Cozaar' }],
])('%s has no price from this term', (_, change) => {
  const losartan = term('Losartan 25mg Tablet')
  expect(losartan && findPrice(variant(change), losartan)).toBeNull()
})

test('a branded generic is priced as a generic, a brand by its own term', () => {
  const losartan = term('Losartan 25mg Tablet')
  expect(losartan && findPrice(variant({ brandName: 'APO-Losartan' }), losartan)).not.toBeNull()
  const climara = term('Climara (Estradiol) 25mg Tablet')
  expect(climara && findPrice(variant({ brandName: 'Climara' }), climara)).not.toBeNull()
  expect(climara && findPrice(variant(), climara)).toBeNull()
})

test('percentages are compared with milligrams per gram or milliliter', () => {
  const cream = term('Ketoconazole 2% Cream', '0.5', 'GM')
  const tube = variant({
    dosageForm: 'cream',
    strength: '20',
    strengthUnit: 'mg/g',
    packageUnit: 'g',
    labelForm: 'CREAM',
  })
  expect(cream && findPrice(tube, cream)?.acquisitionCostCents).toBe(1500)
  const small = { ...tube, strength: '2', strengthUnit: '% w/w', packageSize: 1, packageUnit: '3.5 g tube' }
  expect(cream && findPrice(small, cream)?.acquisitionCostCents).toBe(175)
})

const linkable = (id: string, change: Partial<LinkableVariant> = {}): LinkableVariant => ({
  id,
  catalogKey: id,
  brandName: null,
  strength: '50',
  strengthUnit: 'mg',
  dosageForm: 'tablet',
  packageSize: 30,
  packageUnit: 'tablet',
  labelForm: 'TABLET',
  linkedVariantId: null,
  ...change,
})
const brand = (id: string, change: Partial<LinkableVariant> = {}): LinkableVariant =>
  linkable(id, { brandName: 'Zoloft', ...change })

test('a brand is linked to the generic of its strength, form and release with the nearest pack', () => {
  const variants = [
    linkable('g30'),
    linkable('g100', { packageSize: 100 }),
    linkable('g-er', { packageSize: 90, labelForm: 'TABLET, EXTENDED RELEASE' }),
    linkable('g-bottle', { packageUnit: 'mL', packageSize: 90 }),
    brand('b90', { packageSize: 90 }),
    brand('b25', { strength: '25' }),
    brand('bcap', { dosageForm: 'capsule' }),
  ]
  expect(linkToGenerics(variants)).toEqual([{ id: 'b90', linkedVariantId: 'g100' }])
})

test('of two equally near generics the first by key is linked', () => {
  expect(linkToGenerics([linkable('a'), linkable('b'), brand('z')])).toEqual([
    { id: 'z', linkedVariantId: 'a' },
  ])
})

test('a valid link stays, a broken one is replaced, and variants created by admins are not linked', () => {
  const variants = [
    linkable('a'),
    linkable('b'),
    brand('chosen', { linkedVariantId: 'b' }),
    brand('lost', { linkedVariantId: 'gone' }),
    brand('created by admin', { catalogKey: null }),
  ]
  expect(linkToGenerics(variants)).toEqual([{ id: 'lost', linkedVariantId: 'a' }])
})

test('a description contains only facts from the directories', () => {
  const text = describeDirectoryProduct({
    category: 'Rx',
    ingredients: 'Sertraline',
    route: 'oral',
    drugClass: 'Serotonin Reuptake Inhibitor',
    forms: new Set(['liquid', 'tablet']),
  })
  expect(text).toBe(
    'Prescription medicine taken by mouth, supplied as tablets and a liquid. Pharmacologic class: Serotonin Reuptake Inhibitor.',
  )
})

test('schedules of two countries are joined', () => {
  expect(joinSchedules([null, 'Narcotics (CDSA I)', 'CSA schedule II', 'CSA schedule II'])).toBe(
    'CSA schedule II; Narcotics (CDSA I)',
  )
  expect(joinSchedules([null])).toBeNull()
})
