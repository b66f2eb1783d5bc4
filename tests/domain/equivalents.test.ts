import { rateVariant, type ListedProduct, type RatedVariant } from '#domain/screening/equivalents.ts'
import { bareStrength, isStrength } from '#domain/screening/listed-strength.ts'
import { expect, test } from 'vitest'

/** Rows of the committed list: application, ingredient, form and route, strength, code, status. */
const listed = (
  [
    ['ANDA076832', 'LITHIUM CARBONATE', 'TABLET, EXTENDED RELEASE;ORAL', '300MG', 'AB', 'Prescription'],
    ['NDA018027', 'LITHIUM CARBONATE', 'TABLET, EXTENDED RELEASE;ORAL', '300MG', 'AB', 'Prescription'],
    ['NDA018558', 'LITHIUM CARBONATE', 'TABLET;ORAL', '300MG', 'AB', 'Prescription'],
    ['ANDA079139', 'LITHIUM CARBONATE', 'CAPSULE;ORAL', '300MG', 'AB', 'Prescription'],
    ['ANDA202288', 'LITHIUM CARBONATE', 'TABLET, EXTENDED RELEASE;ORAL', '300MG', 'AB', 'Discontinued'],
    [
      'ANDA216304',
      'DILTIAZEM HYDROCHLORIDE',
      'CAPSULE, EXTENDED RELEASE;ORAL',
      '120MG',
      'AB2',
      'Prescription',
    ],
    [
      'ANDA218587',
      'DILTIAZEM HYDROCHLORIDE',
      'CAPSULE, EXTENDED RELEASE;ORAL',
      '120MG',
      'AB2',
      'Prescription',
    ],
    [
      'ANDA217377',
      'DILTIAZEM HYDROCHLORIDE',
      'CAPSULE, EXTENDED RELEASE;ORAL',
      '120MG',
      'AB1',
      'Prescription',
    ],
    ['ANDA206770', 'ACYCLOVIR', 'CREAM;TOPICAL', '5%', 'BX', 'Prescription'],
    ['ANDA076442', 'SERTRALINE HYDROCHLORIDE', 'TABLET;ORAL', 'EQ 50MG BASE', 'AB', 'Prescription'],
    ['NDA020649', 'ALPROSTADIL', 'INJECTABLE;INJECTION', '0.01MG/VIAL', 'AP', 'Prescription'],
    ['NDA020649', 'ALPROSTADIL', 'INJECTABLE;INJECTION', '0.01MG/VIAL', null, 'Prescription'],
    ['ANDA040684', 'PHENYTOIN SODIUM', 'CAPSULE;ORAL', '100MG EXTENDED', 'AB', 'Prescription'],
  ] as const
).map(
  ([applicationNumber, activeIngredient, formRoute, strength, teCode, marketingStatus]): ListedProduct => ({
    applicationNumber,
    activeIngredient,
    formRoute,
    strength,
    teCode,
    marketingStatus,
  }),
)

const rate = (applicationNumber: string | null, labelStrength: string | null, labelForm: string | null) =>
  rateVariant({ applicationNumber, labelStrength, labelForm } satisfies RatedVariant, listed)

const extended = 'TABLET, FILM COATED, EXTENDED RELEASE'

test('two applications are equivalent with the same ingredient, form, route, strength and code', () => {
  expect(rate('NDA018027', '300 mg', extended)).toEqual({
    group: 'LITHIUM CARBONATE|TABLET, EXTENDED RELEASE;ORAL|300MG|AB',
    code: 'AB',
    form: 'tablet, extended release',
  })
  expect(rate('ANDA076832', '300 mg', extended)).toEqual(rate('NDA018027', '300 mg', extended))
  expect(rate('ANDA216304', '120 mg', 'CAPSULE, EXTENDED RELEASE')).toEqual(
    rate('ANDA218587', '120 mg', 'CAPSULE, EXTENDED RELEASE'),
  )
})

test.each([
  ['a capsule and a tablet', rate('ANDA079139', '300 mg', 'CAPSULE'), rate('NDA018558', '300 mg', 'TABLET')],
  ['another release', rate('NDA018558', '300 mg', 'TABLET'), rate('NDA018027', '300 mg', extended)],
  [
    'AB1 and AB2',
    rate('ANDA217377', '120 mg', 'CAPSULE, EXTENDED RELEASE'),
    rate('ANDA216304', '120 mg', 'CAPSULE, EXTENDED RELEASE'),
  ],
])('not equivalent: %s', (_, one, other) => {
  expect(one).not.toBeNull()
  expect(other).not.toBeNull()
  expect(one?.group).not.toBe(other?.group)
})

test.each([
  ['an application that the list does not have', 'ANDA000000', '300 mg', 'TABLET'],
  ['no application', null, '300 mg', 'TABLET'],
  ['another strength', 'NDA018558', '150 mg', 'TABLET'],
  ['no strength', 'NDA018558', null, 'TABLET'],
  ['a form that the application does not have', 'NDA018558', '300 mg', 'CAPSULE'],
  ['a release that the application does not have', 'NDA018558', '300 mg', extended],
  ['a discontinued product', 'ANDA202288', '300 mg', extended],
  ['a B-code', 'ANDA206770', '50 mg/g', 'CREAM'],
  ['two rows of which one has no code', 'NDA020649', '10 ug', 'INJECTION, POWDER'],
  ['a strength with a word that says more', 'ANDA040684', '100 mg', 'CAPSULE'],
])('unrated: %s', (_, application, strength, form) => {
  expect(rate(application, strength, form)).toBeNull()
})

test('the base of a salt counts', () => {
  expect(rate('ANDA076442', '50 mg', 'TABLET, FILM COATED')?.code).toBe('AB')
})

test.each([
  ['0.1%', '1 mg/g', true],
  ['0.5%', '5 mg/mL', true],
  ['EQ 125MG BASE/5ML', '125 mg/5mL', true],
  ['EQ 125MG BASE/5ML', '25 mg/mL', true],
  ['500MG/10ML (50MG/ML)', '50 mg/mL', true],
  ['1GM/VIAL', '1 g', true],
  ['0.1MG/24HR', '0.1 mg/d', true],
  ['25MG;37.5MG', '37.5 mg / 25 mg', true],
  ['10,000 UNITS/ML', "10000 [USP'U]/mL", true],
  ['300MG **Federal Register determination that product was not discontinued**', '300 mg', true],
  // Each measure, and each thing that an amount is in.
  ['1GM', '1 g', true],
  ['1G', '1000 mg', true],
  ['500MCG', '0.5 mg', true],
  ['500UG', '500 mcg', true],
  ['500UG', '0.5 g', false],
  ['10MEQ', '10 meq', true],
  ['10MEQ', '10 mg', false],
  ['100IU', '100 [iu]', true],
  ['100USP UNITS', '100 units', true],
  ['100UNITS', '100 mg', false],
  ['1MG/L', '0.001 mg/mL', true],
  ['1MG/GM', '1 mg/g', true],
  ['1MG/G', '1 mg/mL', false],
  ['1MG/HR', '24 mg/d', true],
  ['1MG/H', '1 mg/mL', false],
  ['1MG/PACKET', '1 mg', true],
  ['1MG/SPRAY', '1 mg/actuation', true],
  ['1MG/INH', '1 mg/bot', true],
  ['1MG/SPOON', '1 mg/spoon', false],
  ['1STONE', '1 stone', false],
  ['.5MG', '0.5 mg', true],
  ['1,000MG', '1 g', true],
  ['1MG/2.5ML', '0.4 mg/mL', true],
  ['1MG/0ML', '1 mg/0mL', false],
  ['0.1%', '1 mg', false],
  ['1 mg/g', '0.1%', true],
  ['0.1%', '1 units/g', false],
  ['1%/ML', '1%/mL', false],
  ['0.1%', '0.1%', true],
  ['10MG EXTENDED', '10 mg extended', false],
  ['EQ 10MG BASE', '10 mg', true],
  ['EQ 10MG FREE BASE', '10 mg', true],
  ['10 MG', '10mg', true],
  ['  10MG  ', '10 mg', true],
  ['10MG ORAL', '10 mg', false],
  ['10MG', '10.00001 mg', true],
  ['10MG', '10.0001 mg', false],
  ['10MG', '9.9999 mg', false],
  ['25MG;25MG', '25 mg / 37.5 mg', false],
  ['25MG;37.5MG', '25 mg / 25 mg', false],
  ['25MG', '25 mg / 25 mg', false],
  ['5MG', '5 mg/mL', false],
  ['0.1%', '0.1 mg/g', false],
  ['N/A', 'N/A', false],
  ['', '', false],
  ['0MG', '0 mg', false],
  [`${'9'.repeat(400)}MG`, `${'9'.repeat(400)} mg`, false],
])('the strength %s is %s: %s', (one, other, expected) => {
  expect(isStrength(one, other)).toBe(expected)
})

test('a strength is listed without the editor’s remark, in upper case with single spaces', () => {
  expect(bareStrength(' eq 10mg  base **Federal Register** more')).toBe('EQ 10MG BASE')
})

const product = (changes: Partial<ListedProduct>): ListedProduct => ({
  applicationNumber: 'NDA1',
  activeIngredient: 'X',
  formRoute: 'TABLET; ORAL',
  strength: '10MG',
  teCode: 'AB',
  marketingStatus: 'Prescription',
  ...changes,
})
const tablet: RatedVariant = { applicationNumber: 'NDA1', labelStrength: '10 mg', labelForm: 'TABLET' }

test.each<[string, Partial<RatedVariant>, Partial<ListedProduct>[], string | null]>([
  ['its row', {}, [{}], 'X|TABLET;ORAL|10MG|AB'],
  ['a form and route in lower case', {}, [{ formRoute: 'tablet ;oral' }], 'X|TABLET;ORAL|10MG|AB'],
  ['no row', {}, [], null],
  ['no form', { labelForm: null }, [{}], null],
  ['a row without a strength', {}, [{ strength: null }], null],
  ['a row without a code', {}, [{ teCode: null }], null],
  ['two rows of one rating', {}, [{}, {}], 'X|TABLET;ORAL|10MG|AB'],
  ['two rows of different ratings', {}, [{}, { teCode: 'AB1' }], null],
  ['a row with a code before one without', {}, [{}, { teCode: null }], null],
  [
    'a row of another application',
    {},
    [{}, { applicationNumber: 'NDA2', teCode: 'AB1' }],
    'X|TABLET;ORAL|10MG|AB',
  ],
  ['a delayed release', { labelForm: 'TABLET, DELAYED RELEASE' }, [{}], null],
  ['a sustained release', { labelForm: 'TABLET (SUSTAINED-RELEASE)' }, [{}], null],
  ['an enteric coat', { labelForm: 'TABLET (ENTERIC-COATED)' }, [{}], null],
  ['a listed delayed release', {}, [{ formRoute: 'TABLET, DELAYED RELEASE;ORAL' }], null],
  [
    'the same delayed release',
    { labelForm: 'TABLET, DELAYED RELEASE' },
    [{ formRoute: 'TABLET, DELAYED RELEASE;ORAL' }],
    'X|TABLET, DELAYED RELEASE;ORAL|10MG|AB',
  ],
  ['a disintegrating tablet', { labelForm: 'TABLET, ORALLY DISINTEGRATING' }, [{}], null],
  ['a chewable tablet', { labelForm: 'TABLET, CHEWABLE' }, [{}], null],
  ['an effervescent tablet', { labelForm: 'TABLET, EFFERVESCENT' }, [{}], null],
  ['a tablet for suspension', { labelForm: 'TABLET, FOR SUSPENSION' }, [{}], null],
  [
    'a capsule of another release',
    { labelForm: 'CAPSULE, EXTENDED RELEASE' },
    [{ formRoute: 'CAPSULE;ORAL' }],
    null,
  ],
  [
    'a powder for suspension',
    { labelForm: 'POWDER, FOR SUSPENSION' },
    [{ formRoute: 'SUSPENSION;ORAL' }],
    'X|SUSPENSION;ORAL|10MG|AB',
  ],
  ['a cream for an ointment', { labelForm: 'CREAM' }, [{ formRoute: 'OINTMENT;TOPICAL' }], null],
  ['a gel for a lotion', { labelForm: 'GEL' }, [{ formRoute: 'LOTION;TOPICAL' }], null],
  ['a suppository for a solution', { labelForm: 'SUPPOSITORY' }, [{ formRoute: 'SOLUTION;RECTAL' }], null],
])('a variant is rated by %s', (_, changes, rows, group) => {
  expect(rateVariant({ ...tablet, ...changes }, rows.map(product))?.group ?? null).toBe(group)
})
