import { findDosageForm } from '#server/catalog/directory/forms.ts'
import { americanPack, canadianPack } from '#server/catalog/directory/packs.ts'
import { findRouteGroup } from '#server/catalog/directory/routes.ts'
import {
  americanAmounts,
  canadianAmounts,
  plainNumber,
  combineAmounts,
} from '#server/catalog/directory/strength.ts'
import { expect, test } from 'vitest'

test.each([
  ['.5', '0.5'],
  ['3.0', '3'],
  ['5.50', '5.5'],
  ['0', '0'],
  ['1200000', '1200000'],
  ['099', '99'],
])('%s is written %s', (text, written) => {
  expect(plainNumber(text)).toBe(written)
})

test.each([
  ['.5', 'mg/1', '0.5', 'mg'],
  ['250', 'mg/5mL', '250', 'mg/5 mL'],
  ['.3', 'mg/mL', '0.3', 'mg/mL'],
  ['25', 'ug/h', '25', 'mcg/h'],
  ['35', 'ug/7d', '35', 'mcg/7 days'],
  ['75', '[iU]/.5mL', '75', 'IU/0.5 mL'],
  ['100', "[USP'U]/1", '100', 'USP units'],
  ['200', "[USP&apos'U]/mL", '200', 'USP units/mL'],
  ['40000', '[PNU]/mL', '40000', 'PNU/mL'],
  ['10', 'meq/1', '10', 'mEq'],
  ['4', '1/1', '4', 'units'],
  ['12.5; 20', 'mg/1; mg/1', '12.5/20', 'mg'],
  ['70; 5600', 'mg/1; [iU]/1', '70 mg + 5600', 'IU'],
  ['6; 6; 6', '[hp_X]/mL; [hp_X]/mL; [hp_X]/mL', '6', 'X/mL each'],
  ['1; 2; 3; 4; 5; 6', 'mg/1; mg/1; mg/1; mg/1; mg/1; mg/1', '1 mg + 2 mg + 3 mg and 3', 'more'],
  // "mg/301" is thirty of 1: a typo when the package holds thirty.
  ['.25', 'mg/301', '0.25', 'mg'],
  ['', '', '', ''],
])('the American %s %s is %s %s', (strengths, units, strength, strengthUnit) => {
  expect(combineAmounts(americanAmounts(strengths, units, '30'))).toEqual({ strength, strengthUnit })
})

test.each([
  ['50 MG', '50', 'mg'],
  ['3.0 MG', '3', 'mg'],
  ['65 MG/2 ML', '65', 'mg/2 mL'],
  ['1 %/W/V', '1', '% w/v'],
  ['100 UNIT/ML', '100', 'units/mL'],
  ['30 MG/SYR', '30', 'mg/syringe'],
  ['100 MCG/ACT', '100', 'mcg/actuation'],
  ['4.6 MG/24 HOUR', '4.6', 'mg/24 h'],
  ['300 MG/CAP', '300', 'mg'],
  ['50 MG / 500 MG', '50/500', 'mg'],
  ['76 % / 24 %', '76/24', '%'],
  ['40 MG/ML / 10 MG/ML', '40/10', 'mg/mL'],
])('the Canadian %s is %s %s', (display, strength, strengthUnit) => {
  expect(combineAmounts(canadianAmounts(display))).toEqual({ strength, strengthUnit })
})

test.each([
  ['30 CAPSULE in 1 BOTTLE (0002-3251-30)', 'CAPSULE', 30, 'capsule'],
  ['90 TABLET, FILM COATED in 1 BOTTLE, PLASTIC (0378-0543-77)', 'TABLET, FILM COATED', 90, 'tablet'],
  ['20 VIAL in 1 BOX (63323-270-50) > 50 mL in 1 VIAL', 'INJECTION, EMULSION', 1000, 'mL'],
  ['10 VIAL in 1 CARTON > 1 INJECTION, POWDER, FOR SOLUTION in 1 VIAL', 'INJECTION, POWDER', 10, 'vial'],
  [
    '1 INHALER in 1 CARTON (0173-0682-20) > 200 AEROSOL, METERED in 1 INHALER',
    'AEROSOL, METERED',
    200,
    'dose',
  ],
  // The duration of a patch is not a count.
  ['30 PATCH in 1 CARTON (0078-0501-15) > 24 h in 1 PATCH (0078-0501-61)', 'PATCH', 30, 'patch'],
  ['8 POUCH in 1 CARTON > 3.5 d in 1 POUCH', 'PATCH, EXTENDED RELEASE', 8, 'patch'],
  // Not a count that a package can have.
  ['0 POUCH in 1 CARTON > 24 h in 1 POUCH', 'PATCH', 1, 'patch'],
  ['99999999999 POUCH in 1 CARTON > 24 h in 1 POUCH', 'PATCH', 1, 'patch'],
  ['1 KIT in 1 CARTON (0002-7635-11) * 1.4 mL in 1 VIAL * 3 mL in 1 VIAL', 'KIT', 1, 'kit'],
  ['1 TUBE in 1 CARTON (68788-9666-1) > 3.5 g in 1 TUBE', 'OINTMENT', 1, '3.5 g tube'],
  ['6 CUP, UNIT-DOSE in 1 BOX (58914-170-60) > 295.7 mL in 1 CUP', 'SUSPENSION', 1, 'box of 6 × 295.7 mL'],
  ['.5 mL in 1 VIAL', 'INJECTION', 1, '0.5 mL vial'],
  // The product is an integer although its factors are not.
  ['2 SYRINGE in 1 CARTON > .5 mL in 1 SYRINGE', 'INJECTION', 1, 'mL'],
  ['', 'TABLET', 1, 'package'],
])('the American pack "%s" of %s is %i %s', (description, form, packageSize, packageUnit) => {
  expect(americanPack(description, form)).toEqual({ packageSize, packageUnit })
})

test.each([
  ['30/100/500', 'TABLET', 30, 'tablet'],
  ['5/10/20ML', 'SOLUTION', 5, 'mL'],
  ['15G/30G', 'CREAM', 15, 'g'],
  ['(3X10)/100/500', 'TABLET', 100, 'tablet'],
  ['100 & 500 TABLETS', 'TABLET', 100, 'tablet'],
  ['100 COMPRIMES', 'TABLET', 100, 'tablet'],
  ['60 DOSES', 'POWDER', 60, 'dose'],
  ['1CART/5CART', 'SOLUTION', 1, 'cartridge'],
  ['0.5ML', 'SOLUTION', 1, '0.5 mL'],
  ['10X1ML', 'SOLUTION', 1, '10 × 1 mL'],
  ['', 'TABLET', 1, 'package'],
])('the Canadian pack "%s" of %s is %i %s', (information, form, packageSize, packageUnit) => {
  expect(canadianPack(information, form)).toEqual({ packageSize, packageUnit })
})

test.each([
  ['ORAL', 'oral'],
  ['RESPIRATORY (INHALATION)', 'inhalation'],
  ['INHALATION', 'inhalation'],
  ['INTRAMUSCULAR; INTRAVENOUS', 'injection'],
  ['EPIDURAL; INFILTRATION', 'injection'],
  ['ORAL; INHALATION', 'inhalation'],
  ['ORAL; RECTAL', 'oral'],
  ['TOPICAL (COMMERCIAL)', 'topical'],
  ['CUTANEOUS', 'topical'],
  ['OTIC; OPHTHALMIC', 'ophthalmic'],
  ['BUCCAL; SUBLINGUAL', 'oromucosal'],
  ['0-UNASSIGNED', 'unstated'],
  ['', 'unstated'],
])('the route %s is %s', (routes, group) => {
  expect(findRouteGroup(routes)).toBe(group)
})

test.each([
  ['TABLET, FILM COATED', 'oral', 'tablet'],
  ['CAPSULE, DELAYED RELEASE PELLETS', 'oral', 'capsule'],
  ['LOZENGE', 'oral', 'tablet'],
  ['INJECTION, SOLUTION', 'injection', 'injection'],
  ['SOLUTION', 'injection', 'injection'],
  ['SOLUTION', 'oral', 'liquid'],
  ['SOLUTION/ DROPS', 'ophthalmic', 'liquid'],
  ['POWDER FOR SOLUTION; KIT', 'injection', 'injection'],
  ['AEROSOL, METERED', 'inhalation', 'inhaler'],
  ['POWDER, METERED', 'inhalation', 'inhaler'],
  ['GAS', 'inhalation', 'inhaler'],
  ['SPRAY, METERED', 'nasal', 'liquid'],
  ['LOTION', 'topical', 'cream'],
  ['STICK', 'topical', 'ointment'],
  ['JELLY', 'topical', 'gel'],
  ['ELIXIR', 'oral', 'syrup'],
  ['PATCH, EXTENDED RELEASE', 'transdermal', 'patch'],
  ['FILM, EXTENDED RELEASE', 'transdermal', 'patch'],
  ['FILM, SOLUBLE', 'oral', 'tablet'],
  ['RING (SLOW-RELEASE)', 'vaginal', 'suppository'],
  ['IMPLANT', 'injection', 'injection'],
] as const)('the form %s, %s, is a %s', (form, route, dosageForm) => {
  expect(findDosageForm(form, route)).toBe(dosageForm)
})

test('the form of a kit is the form of its contents', () => {
  expect(findDosageForm('KIT', 'oral', '3 BLISTER PACK in 1 CARTON > 1 KIT in 1 BLISTER PACK')).toBe('tablet')
  expect(findDosageForm('KIT', 'injection', '1 KIT in 1 CARTON * 1 mL in 1 SYRINGE')).toBe('injection')
  expect(findDosageForm('KIT', 'topical', '1 KIT in 1 CARTON * 30 g in 1 TUBE')).toBe('cream')
})
