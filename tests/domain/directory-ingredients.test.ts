import { toDirectoryProduct } from '#server/catalog/directory/directory-variant.ts'
import { toMoiety } from '#domain/catalog/moiety.ts'
import { formatSubstance } from '#domain/catalog/substance-name.ts'
import { compareIngredients, joinNames, formatBrand } from '#server/catalog/directory/names.ts'
import { parseBrandName, toManufacturerKey, substancesInName } from '#server/catalog/directory/brands.ts'
import { americanSchedule, canadianSchedule } from '#server/catalog/directory/schedules.ts'
import { readTsv } from '#tests/support/care-lists.ts'
import { expect, test } from 'vitest'

test.each([
  // A US substance and a Canadian ingredient are one product.
  ['SERTRALINE HYDROCHLORIDE', 'sertraline'],
  ['SERTRALINE (SERTRALINE HYDROCHLORIDE)', 'sertraline'],
  ['LEVOTHYROXINE SODIUM (LEVOTHYROXINE SODIUM HYDRATE)', 'levothyroxine'],
  ['LEVOTHYROXINE SODIUM ANHYDROUS', 'levothyroxine'],
  ['VALPROIC ACID (DIVALPROEX SODIUM)', 'divalproex'],
  ['DIVALPROEX SODIUM', 'divalproex'],
  ['CLAVULANIC ACID (CLAVULANATE POTASSIUM)', 'clavulanate'],
  ['SALBUTAMOL (SALBUTAMOL SULFATE)', 'albuterol'],
  ['ALBUTEROL SULFATE', 'albuterol'],
  ['ACETYLSALICYLIC ACID', 'aspirin'],
  ['METHYLPREDNISOLONE (METHYLPREDNISOLONE SODIUM SUCCINATE)', 'methylprednisolone'],
  ['CIPROFLOXACIN (CIPROFLOXACIN, CIPROFLOXACIN HYDROCHLORIDE)', 'ciprofloxacin'],
  ['SACUBITRIL (SACUBITRIL VALSARTAN SODIUM HYDRATE COMPLEX)', 'sacubitril'],
  ['ATORVASTATIN (ATORVASTATIN CALCIUM PROPYLENE GLYCOL SOLVATE)', 'atorvastatin'],
  // Esters and prodrugs are different products.
  ['BETAMETHASONE (BETAMETHASONE DIPROPIONATE)', 'betamethasone dipropionate'],
  ['BETAMETHASONE VALERATE', 'betamethasone valerate'],
  ['HYDROCORTISONE ACETATE', 'hydrocortisone acetate'],
  ['TENOFOVIR DISOPROXIL FUMARATE', 'tenofovir disoproxil'],
  ['PENICILLIN G BENZATHINE', 'penicillin g benzathine'],
  ['ISOSORBIDE MONONITRATE', 'isosorbide mononitrate'],
  // In an electrolyte the salt is half of the substance; its water is not.
  ['SODIUM CHLORIDE', 'sodium chloride'],
  ['LITHIUM CARBONATE', 'lithium carbonate'],
  ['FERROUS SULFATE', 'ferrous sulfate'],
  ['IRON (FERROUS FUMARATE)', 'ferrous fumarate'],
  ['MAGNESIUM SULFATE HEPTAHYDRATE', 'magnesium sulfate'],
  ['CALCIUM (CALCIUM CARBONATE)', 'calcium carbonate'],
  ['METHYL SALICYLATE', 'methyl salicylate'],
  ['BENZALKONIUM CHLORIDE', 'benzalkonium chloride'],
  // Parentheses may state the origin.
  ['COAGULATION FACTOR IX (RECOMBINANT)', 'coagulation factor ix (recombinant)'],
  ['ADALIMUMAB-ATTO', 'adalimumab'],
])('%s is %s', (substance, moiety) => {
  expect(toMoiety(substance)).toBe(moiety)
})

test('a product is its ingredients in any order, its route and its category', () => {
  const key = (moieties: string[], category: 'Rx' | 'OTC', route: 'oral' | 'injection'): string =>
    toDirectoryProduct(moieties, category, route, null).catalogKey
  expect(key(['codeine', 'acetaminophen'], 'Rx', 'oral')).toBe('Rx:oral:acetaminophen+codeine')
  expect(key(['acetaminophen', 'codeine', 'codeine'], 'Rx', 'oral')).toBe('Rx:oral:acetaminophen+codeine')
  expect(key(['ibuprofen'], 'Rx', 'oral')).not.toBe(key(['ibuprofen'], 'OTC', 'oral'))
  expect(key(['ibuprofen'], 'Rx', 'oral')).not.toBe(key(['ibuprofen'], 'Rx', 'injection'))
  const many = Array.from({ length: 60 }, (_, i) => `pollen of plant number ${i}`)
  expect(key(many, 'Rx', 'injection').length).toBeLessThan(60)
  expect(key(many, 'Rx', 'injection')).toBe(key(many.toReversed(), 'Rx', 'injection'))
})

test.each([
  [['SERTRALINE'], 'Sertraline'],
  [['acetaminophen', 'codeine'], 'Acetaminophen and codeine'],
  [['A1', 'B1', 'C1', 'D1', 'E1', 'F1'], 'A1, b1, c1 and 3 more'],
])('%j reads "%s"', (names, read) => {
  expect(joinNames(names)).toBe(read)
})

test('hydrochlorothiazide is named last', () => {
  expect(['hydrochlorothiazide', 'lisinopril'].toSorted(compareIngredients)).toEqual([
    'lisinopril',
    'hydrochlorothiazide',
  ])
})

test.each([
  ['PENICILLIN G SODIUM', 'Penicillin G sodium'],
  ['TECHNETIUM TC-99M SESTAMIBI', 'Technetium Tc-99m sestamibi'],
  ['COAGULATION FACTOR VIII', 'Coagulation factor VIII'],
  ['ESTROGENS, CONJUGATED', 'Conjugated estrogens'],
  ['.ALPHA.-TOCOPHEROL ACETATE, DL-', 'DL-alpha-tocopherol acetate'],
])('the substance %s reads "%s"', (text, read) => {
  expect(formatSubstance(text)).toBe(read)
})

test.each([
  ['ZOLOFT', 'Zoloft'],
  ['NuvaRing', 'NuvaRing'],
  ['APO-SERTRALINE', 'APO-Sertraline'],
  ['PRO-LISINOPRIL HCTZ', 'PRO-Lisinopril HCTZ'],
  ['ALCON TEARS 0.5%', 'Alcon Tears 0.5%'],
  ['SIVEM PHARMACEUTICALS ULC', 'Sivem Pharmaceuticals ULC'],
  ['E.E.S.', 'E.E.S.'],
])('the brand %s is written %s', (text, written) => {
  expect(formatBrand(text)).toBe(written)
})

test.each([
  ['ZOLOFT', ['SERTRALINE HYDROCHLORIDE'], 'Zoloft'],
  ['SERTRALINE HYDROCHLORIDE', ['SERTRALINE HYDROCHLORIDE'], null],
  ['Sertraline HCl Tablets USP, 50 mg', ['SERTRALINE HYDROCHLORIDE'], null],
  ['Quinapril and Hydrochlorothiazide', ['QUINAPRIL HYDROCHLORIDE', 'HYDROCHLOROTHIAZIDE'], null],
  ['ACETAMINOPHEN 160 MG CHEWABLE TABLETS', ['ACETAMINOPHEN'], null],
  ['APO-SERTRALINE', ['SERTRALINE'], 'APO-Sertraline'],
  // A misspelled generic name is not a brand.
  ['Losortan Potassium', ['LOSARTAN POTASSIUM'], null],
  ['Naprosyn', ['NAPROXEN'], 'Naprosyn'],
  ['Desonate', ['DESONIDE'], 'Desonate'],
  ['Erythrocin Stearate', ['ERYTHROMYCIN STEARATE'], 'Erythrocin Stearate'],
  ['', ['OXYGEN'], null],
])('of %s with %j the brand is %s', (proprietary, generics, brand) => {
  expect(parseBrandName(proprietary, generics)).toBe(brand)
})

test.each([
  ['norgestimate and ethinyl estradiol', ['norgestimate', 'ethinyl estradiol']],
  ['TELMISARTAN, AMLODIPINE AND INDAPAMIDE', ['TELMISARTAN', 'AMLODIPINE', 'INDAPAMIDE']],
  ['SITAGLIPTIN HYDROCHLORIDE ORAL', ['SITAGLIPTIN HYDROCHLORIDE']],
  ['Esmolol hydrochloride in sodium chloride', ['Esmolol hydrochloride']],
])('"%s" names %j', (name, substances) => {
  expect(substancesInName(name)).toEqual(substances)
})

test('spellings of a legal form share a manufacturer key; different names do not', () => {
  expect(toManufacturerKey('Teva Canada Ltd.')).toBe(toManufacturerKey('TEVA CANADA LIMITED'))
  expect(toManufacturerKey('AvKARE, Inc.')).toBe(toManufacturerKey('AvKARE'))
  expect(toManufacturerKey('Sandoz Inc.')).not.toBe(toManufacturerKey('Sandoz Canada Incorporated'))
})

test.each([
  [['oxycodone'], 'tablet', 'CSA schedule II'],
  [['acetaminophen', 'hydrocodone'], 'tablet', 'CSA schedule II'],
  [['codeine'], 'tablet', 'CSA schedule II'],
  [['acetaminophen', 'codeine'], 'tablet', 'CSA schedule III'],
  [['codeine', 'promethazine'], 'syrup', 'CSA schedule V'],
  [['diphenoxylate', 'atropine'], 'tablet', 'CSA schedule V'],
  [['testosterone cypionate'], 'injection', 'CSA schedule III'],
  [['zolpidem'], 'tablet', 'CSA schedule IV'],
  [['pregabalin'], 'capsule', 'CSA schedule V'],
  // Not scheduled federally.
  [['gabapentin'], 'capsule', null],
  [['sertraline'], 'tablet', null],
] as const)('%j as %s is %s', (moieties, form, schedule) => {
  expect(americanSchedule(moieties, form)).toBe(schedule)
})

test('every ingredient of the committed list of controlled substances has its schedule', () => {
  const listed = readTsv('db/seed/care/controlled-us.tsv').filter(
    ({ ingredients = '' }) => !ingredients.includes(' + '),
  )
  expect(listed.length).toBeGreaterThan(90)
  const schedules = listed.map(({ ingredients = '' }) => [
    ingredients,
    americanSchedule([ingredients.toLowerCase()], 'tablet'),
  ])
  expect(schedules).toEqual(
    listed.map(({ ingredients, dea_schedule: schedule }) => [ingredients, `CSA schedule ${schedule}`]),
  )
})

test("Canada's schedules are formatted in sentence case", () => {
  expect(canadianSchedule('NARCOTICS (CDSA I)')).toBe('Narcotics (CDSA I)')
  expect(canadianSchedule('')).toBeNull()
})
