import { checkDestination, findDestinationRules, toCountryCode } from '#domain/dispensing/destination.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import { identityText, medicineText } from '#domain/dispensing/medicine-text.ts'
import {
  findTranscriptionErrors,
  isSameDrug,
  isSameName,
  medicineProblem,
  type ItemToCheck,
} from '#domain/dispensing/transcription-rules.ts'
import { parseInput } from '#domain/parse-input.ts'
import { importRules } from '#server/reviews/import-rules.ts'
import { fillOf, itemOf, lisinopril } from '#tests/support/prescription-items.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const now = new Date('2026-03-10T12:00:00Z')

test('a medicine’s text has the plural of its unit', () => {
  const of = (unit: string, pack: string | null) => identityText({ ...lisinopril, unit, pack })
  expect(of('suppository', null)).toMatch(/, in suppositories$/)
  expect(of('patch', null)).toMatch(/, in patches$/)
  expect(of('mL', null)).toMatch(/, in mL$/)
  expect(of('pack', '60 g')).toMatch(/, in packs of 60 g$/)
})

test('an NPI has ten digits, begins with 1 or 2, and has the right check digit', () => {
  // CMS and public examples of the calculation.
  for (const npi of ['1234567893', '1993999998', '1558598797']) expect(npiProblem(npi), npi).toBeNull()
  for (const npi of ['1234567890', '1993999989', '3993999998', '123456789', '12345678930', '１234567893', ''])
    expect(npiProblem(npi), npi).not.toBeNull()
  // Each wrong last digit, and each swap of unlike neighbors other than 0 and 9, is found.
  for (let digit = 0; digit < 10; digit++)
    expect(npiProblem(`123456789${digit}`) === null, String(digit)).toBe(digit === 3)
})

test('a name on a file is the account’s with the same words in any order', () => {
  expect(isSameName('O’HARA, Zoë Anne', 'Zoë O’Hara')).toBe(true)
  expect(isSameName('Zoe O Hara', 'Zoë O’Hara')).toBe(true)
  expect(isSameName('Zoe Hart', 'Zoë O’Hara')).toBe(false)
  expect(isSameName('', 'Account')).toBe(false)
})

test('countries are known by name, short form and code', () => {
  for (const text of ['United States', 'USA', 'u.s.a.', 'us', 'United States of America'])
    expect(toCountryCode(text), text).toBe('US')
  expect(toCountryCode('Great Britain')).toBe('GB')
  expect(toCountryCode('Côte d’Ivoire')).toBe('CI')
  expect(toCountryCode('Atlantis')).toBeNull()
})

test('a destination is served by the product’s pharmacy, and otherwise by any', () => {
  const pharmacies = [
    { id: 'us', name: 'US', country: 'United States', shipsTo: ['USA', 'Japan'] },
    { id: 'ca', name: 'CA', country: 'Canada', shipsTo: ['Canada', 'United States'] },
  ]
  expect(checkDestination('US', ['us'], pharmacies)).toEqual({
    isServed: true,
    isDomestic: true,
    pharmacies: [],
  })
  expect(checkDestination('US', ['ca'], pharmacies)).toEqual({
    isServed: true,
    isDomestic: false,
    pharmacies: [],
  })
  expect(checkDestination('Canada', ['us'], pharmacies)).toEqual({
    isServed: false,
    isDomestic: false,
    pharmacies: ['US'],
  })
  expect(checkDestination('Canada', [null], pharmacies)).toMatchObject({ isServed: true, isDomestic: true })
  expect(checkDestination('Japan', ['us', 'ca'], pharmacies)).toMatchObject({
    isServed: false,
    pharmacies: ['CA'],
  })
  expect(checkDestination('US', [null], [])).toMatchObject({ isServed: false })
})

test('the rules of a destination are those for medicines that are not controlled', () => {
  const idsOf = (country: string, isDomestic = false) =>
    findDestinationRules(importRules, country, { isDomestic }).map(({ id }) => id)
  expect(idsOf('Japan')).toEqual(['jp-import-rx'])
  expect(idsOf('Australia')).toEqual(['au-import-order', 'au-import-year'])
  expect(idsOf('USA', true)).toEqual([])
  expect(idsOf('France')).toEqual([])
  expect(new Set(importRules.map(({ id }) => id)).size).toBe(20)
})

test('errors of nested fields are named as forms name them', () => {
  const schema = z.object({ items: z.array(z.object({ units: z.number('Enter a number.') })) })
  const parse = () => parseInput(schema, { items: [{ units: 1 }, { units: 'x' }] })
  expect(parse).toThrow(expect.objectContaining({ fields: { 'items[1].units': 'Enter a number.' } }))
})

test('a controlled substance and a medicine without prescription cannot be transcribed', () => {
  expect(medicineProblem({ isPrescription: true, controlledSchedule: null })).toBeNull()
  expect(medicineProblem({ isPrescription: true, controlledSchedule: 'CII' })).toBe(
    'This can’t be transcribed: CII.',
  )
  expect(medicineProblem({ isPrescription: false, controlledSchedule: null })).toBe(
    'This is not a prescription medicine.',
  )
})

test.each([
  [{}, true],
  [{ strength: '10 MG' }, true],
  [{ formText: 'CAPSULE', brandName: 'Zestril' }, true],
  [{ strength: '20 mg' }, false],
  [{ ingredientSet: 'metformin' }, false],
])('a medicine with %j is the same drug: %s', (changes, expected) => {
  expect(isSameDrug(lisinopril, { ...lisinopril, ...changes })).toBe(expected)
})

describe('a transcription', () => {
  const input = { patientName: 'Ada Marsh', patientNameNote: null, writtenOn: '2026-03-01' }
  const chosen = { medicine: lisinopril, isPrescription: true, controlledSchedule: null }
  const itemInput = {
    id: null,
    version: null,
    variantId: 'variant',
    units: 30,
    daysSupply: 30,
    refills: 2,
    directions: '1 tab po daily',
    dispenseAsWritten: false,
    validUntil: null,
    agreement: null,
  }
  const newItem: ItemToCheck = { input: itemInput, earlier: null, chosen }
  const check = (items: ItemToCheck[], changes: Partial<typeof input> = {}, fills = [fillOf()]) =>
    findTranscriptionErrors(
      { ...input, ...changes },
      { items, otherItems: [], fills, accountName: 'Ada Marsh', now },
    )
  const checkItem = (changes: Partial<ItemToCheck['input']>, item: Partial<ItemToCheck> = {}) =>
    check([{ ...newItem, ...item, input: { ...itemInput, ...changes } }])

  test('without a mistake is accepted', () => {
    expect(check([newItem])).toEqual({})
    expect(check([])).toEqual({})
  })

  test('for another name needs a note', () => {
    expect(check([], { patientName: 'Eve Marsh' })).toEqual({
      patientNameNote: 'The customer says that it is for Ada Marsh. Say why this is the same person.',
    })
    expect(
      findTranscriptionErrors(
        { ...input, patientName: 'Eve Marsh', patientNameNote: 'Second name' },
        { items: [], otherItems: [], fills: [], accountName: 'Ada Marsh', now },
      ),
    ).toEqual({})
  })

  test('with an agreement of a later day is refused', () => {
    const agreement = { with: 'Dr. Natarajan', on: '2026-03-12' }
    expect(checkItem({ agreement })).toEqual({
      'items[0].agreement.on': 'Enter the day on which they agreed. It can’t be in the future.',
    })
    expect(checkItem({ agreement: { ...agreement, on: '2026-03-11' } })).toEqual({})
    expect(checkItem({ agreement: { ...agreement, on: null } })).toEqual({})
  })

  test('that is too old or of the future is refused', () => {
    expect(check([], { writtenOn: '2026-03-12' })).toEqual({
      writtenOn: 'The written date can’t be in the future.',
    })
  })

  test('adds no medicine that the prescription has in another item', () => {
    const storedWith = (medicine: Partial<Medicine>) =>
      findTranscriptionErrors(input, {
        items: [newItem],
        otherItems: [itemOf({ medicine: { ...lisinopril, ...medicine } })],
        fills: [],
        accountName: 'Ada Marsh',
        now,
      })
    expect(storedWith({ brandName: 'Zestril' })['items[0].variantId']).toMatch(
      /^Lisinopril 10 mg is already saved /,
    )
    expect(storedWith({ strength: '20 mg' })).toEqual({})
  })

  describe('with a medicine twice', () => {
    const copied = 'is in this form twice with the same directions. Remove one, or correct it.'
    const withChanges = (medicine: Partial<Medicine>, changes: Partial<ItemToCheck['input']> = {}) => ({
      ...newItem,
      input: { ...itemInput, ...changes },
      chosen: { ...chosen, medicine: { ...lisinopril, ...medicine } },
    })
    const stored = { input: { ...itemInput, variantId: null }, chosen: null, earlier: itemOf() }
    const at = (index: number) => ({ [`items[${index}].variantId`]: `Lisinopril 10 mg ${copied}` })

    test.each<[string, ItemToCheck[], Record<string, string>]>([
      ['that is equal', [newItem, newItem], at(1)],
      ['of another brand', [newItem, withChanges({ brandName: 'Zestril' })], at(1)],
      [
        'in other amounts, its directions in words',
        [newItem, withChanges({}, { units: 90, directions: 'Take 1 tablet by mouth daily.' })],
        at(1),
      ],
      ['that is stored', [stored, newItem], at(1)],
      ['that is stored, below the new one', [newItem, stored], at(0)],
      ['with other directions', [newItem, withChanges({}, { directions: '2 tab po daily' })], {}],
      ['in another strength', [newItem, withChanges({ strength: '20 mg' })], {}],
      ['in another form', [newItem, withChanges({ formText: 'TABLET, EXTENDED RELEASE' })], {}],
      ['that is stored twice', [stored, stored], {}],
    ])('%s', (_, items, errors) => {
      expect(check(items, {}, [])).toEqual(errors)
    })
  })

  test('names the item of each error', () => {
    const nothing = { ...newItem, chosen: null }
    expect(check([newItem, nothing])).toEqual({ 'items[1].variantId': 'Choose the medicine.' })
  })

  test.each<[string, Partial<ItemToCheck['input']>, Partial<ItemToCheck>, Record<string, string>]>([
    ['no medicine', {}, { chosen: null }, { variantId: 'Choose the medicine.' }],
    [
      'a controlled substance',
      {},
      { chosen: { ...chosen, controlledSchedule: 'CII' } },
      { variantId: 'This can’t be transcribed: CII.' },
    ],
    [
      'a generic that must be dispensed as written',
      { dispenseAsWritten: true },
      {},
      { dispenseAsWritten: 'Choose the brand that must be dispensed as written.' },
    ],
    [
      'a brand that must be dispensed as written',
      { dispenseAsWritten: true },
      { chosen: { ...chosen, medicine: { ...lisinopril, brandName: 'Zestril' } } },
      {},
    ],
    [
      'error-prone codes',
      { directions: '1.0 tab po qd' },
      {},
      { directions: 'Write “1” instead of “1.0”. Write “daily” instead of “qd”.' },
    ],
    [
      'directions for another form',
      { directions: '1 cap po daily' },
      {},
      {
        directions:
          'The directions say capsule, but this medicine is a tablet. Correct the directions or choose another medicine.',
      },
    ],
    [
      'a last day before it was written',
      { validUntil: '2026-02-28' },
      {},
      { validUntil: 'This is before the written date.' },
    ],
    [
      'a last day that has passed',
      { validUntil: '2026-03-09' },
      {},
      { validUntil: 'This date has passed, so nothing could be dispensed.' },
    ],
    ['today as its last day', { validUntil: '2026-03-10' }, {}, {}],
    ['a last day after a year', { validUntil: '2027-03-01' }, {}, {}],
    [
      'a last day after more than a year',
      { validUntil: '2027-03-02' },
      {},
      { validUntil: 'A prescription is valid for at most 12 months after the written date.' },
    ],
  ])('of %s', (_, changes, item, errors) => {
    const named = Object.entries(errors).map(([name, message]) => [`items[0].${name}`, message])
    expect(checkItem(changes, item)).toEqual(Object.fromEntries(named))
  })

  test('can be valid on the day it was written only', () => {
    expect(
      check([{ ...newItem, input: { ...itemInput, validUntil: '2026-03-10' } }], { writtenOn: '2026-03-10' }),
    ).toEqual({})
  })

  describe('that edits an item', () => {
    const earlier = itemOf()
    const other = { ...chosen, medicine: { ...lisinopril, ingredientSet: 'metformin' } }
    const notChosen = 'This item is for Lisinopril 10 mg. To change it, choose the medicine from the list.'
    const otherText =
      'Lisinopril 10 mg was chosen, and then the text was changed. Choose the medicine from the list.'
    const isChanged =
      'Since you opened this form, the item was changed to Betamethasone 0.05 % cream, topical, in packs of 60 g. Choose the medicine from the list.'
    const cream: Medicine = {
      ...lisinopril,
      substances: 'Betamethasone',
      strength: '0.05 %',
      form: 'cream',
      formText: null,
      route: 'topical',
      unit: 'pack',
      pack: '30 g',
    }
    const hasFills = 'This item has fills. Close it and add the other medicine as a new item.'
    const agree = 'Raising the quantity needs the prescriber’s agreement. Enter who agreed.'
    const tooFew = 'More units than that are already dispensed or reserved. Refuse the open lines first.'
    test.each<
      [
        string,
        Partial<ItemToCheck['input']>,
        Partial<ItemToCheck>,
        ReturnType<typeof fillOf>[],
        Record<string, string>,
      ]
    >([
      ['keeps its medicine', { variantId: null }, { chosen: null }, [fillOf()], {}],
      ['chooses the same again', {}, {}, [fillOf()], {}],
      [
        'shows its medicine',
        { variantId: null, medicine: 'Lisinopril 10 mg tablet' },
        { chosen: null },
        [],
        {},
      ],
      [
        'shows another medicine that was not chosen',
        { variantId: null, medicine: 'Lisinopril 20 mg tablet' },
        { chosen: null },
        [],
        { variantId: notChosen },
      ],
      [
        'shows no medicine',
        { variantId: null, medicine: ' ' },
        { chosen: null },
        [],
        { variantId: notChosen },
      ],
      ['lists the matches of what was typed', { medicine: 'lisi', listed: 'lisi' }, {}, [], {}],
      ['shows the chosen one', { medicine: 'Lisinopril 10 mg tablet', listed: '' }, {}, [], {}],
      [
        'shows another medicine than the chosen one',
        { medicine: 'Metformin', listed: '' },
        {},
        [],
        { variantId: otherText },
      ],
      [
        'lists the matches of another text',
        { medicine: 'Metformin', listed: 'lisi' },
        {},
        [],
        { variantId: otherText },
      ],
      ['shows no text for the chosen one', { medicine: '', listed: '' }, {}, [], { variantId: otherText }],
      ['is of the release before', { medicine: 'lisi' }, {}, [], {}],
      [
        'was opened with its medicine',
        { variantId: null, storedMedicine: 'Lisinopril 10 mg tablet, oral, in tablets' },
        { chosen: null },
        [],
        {},
      ],
      [
        'was opened before its pack was changed',
        { variantId: null, medicine: medicineText(cream), storedMedicine: identityText(cream) },
        { chosen: null, earlier: { ...earlier, medicine: { ...cream, pack: '60 g' } } },
        [],
        { variantId: isChanged },
      ],
      ['has another medicine after a fill', {}, { chosen: other }, [fillOf()], { variantId: hasFills }],
      [
        'has another medicine after a released fill',
        {},
        { chosen: other },
        [fillOf({ status: 'released' })],
        {},
      ],
      [
        'has another medicine after one fill that was released and one that was not',
        {},
        { chosen: other },
        [fillOf({ status: 'released' }), fillOf()],
        { variantId: hasFills },
      ],
      [
        'has another medicine after a fill of another item',
        {},
        { chosen: other },
        [fillOf({ itemId: 'other' })],
        {},
      ],
      ['lowers it to what was dispensed', { units: 10 }, {}, [fillOf()], {}],
      ['lowers it below what was dispensed', { units: 9 }, {}, [fillOf()], { units: tooFew }],
      ['lowers the refills', { refills: 0 }, {}, [fillOf()], {}],
      ['raises the units', { units: 31 }, {}, [], { 'agreement.with': agree }],
      ['raises the refills', { refills: 3 }, {}, [], { 'agreement.with': agree }],
      [
        'raises them with an agreement',
        { units: 31, agreement: { with: 'Dr. Natarajan', on: null } },
        {},
        [],
        {},
      ],
    ])('%s', (_, changes, item, fills, errors) => {
      const edited = { ...newItem, earlier, ...item, input: { ...itemInput, ...changes } }
      const named = Object.entries(errors).map(([name, message]) => [`items[0].${name}`, message])
      expect(check([edited], {}, fills)).toEqual(Object.fromEntries(named))
    })
  })
})
