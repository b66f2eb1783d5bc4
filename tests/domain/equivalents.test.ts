import { rateVariant, type ListedProduct, type RatedVariant } from '#domain/screening/equivalents.ts'
import { isStrength } from '#domain/screening/listed-strength.ts'
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
