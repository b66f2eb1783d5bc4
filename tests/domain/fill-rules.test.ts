import { addMonths } from '#domain/days.ts'
import { checkCandidate, decideClearance } from '#domain/dispensing/clearance.ts'
import {
  checkFill,
  daysSupplyOf,
  lastValidDay,
  nextFillDay,
  refillsLeft,
  remainingUnits,
  writtenDateProblem,
  type Fill,
  type Item,
} from '#domain/dispensing/fill-rules.ts'
import { findDifference, toMedicine, unitsOf, type MedicineSource } from '#domain/dispensing/medicine.ts'
import { withChosen } from '#domain/dispensing/line-state.ts'
import { toLineState } from '#domain/dispensing/to-line-state.ts'
import { resolveLine } from '#domain/dispensing/resolve-line.ts'
import { resolutionMessage } from '#domain/dispensing/line-messages.ts'
import {
  fillOf as fill,
  itemOf as item,
  lisinopril as medicine,
  sourceOf as source,
} from '#tests/support/prescription-items.ts'
import { describe, expect, test } from 'vitest'

const now = new Date('2026-03-10T12:00:00Z')

const request = { medicine, units: 30, lineId: 'line', now, opensAtPercent: 75 }

describe('covers', () => {
  const offered = (variant: Partial<MedicineSource['variant']>, product = {}) =>
    findDifference(medicine, toMedicine(source(variant, product)))

  test.each([
    ['the same', {}, {}, null],
    ['another maker’s brand', { brandName: 'Zestril' }, {}, null],
    ['the strength in other case', { labelStrength: '10 MG' }, {}, null],
    ['the strength with a trailing zero', { labelStrength: '10.0 mg' }, {}, null],
    ['another pack of counted units', { packageSize: 90 }, {}, null],
    ['another strength', { labelStrength: '20 mg' }, {}, 'strength'],
    ['a tenth of the strength', { labelStrength: '1.0 mg' }, {}, 'strength'],
    ['another ingredient', {}, { ingredients: 'Lisinopril; Hydrochlorothiazide' }, 'ingredient'],
    ['another salt', { genericName: 'Lisinopril dihydrate' }, {}, 'salt'],
    ['another release', { labelForm: 'TABLET, EXTENDED RELEASE' }, {}, 'form'],
    ['another form', { dosageForm: 'capsule', labelForm: 'CAPSULE' }, {}, 'form'],
    ['another route', {}, { route: 'rectal' }, 'route'],
  ] as const)('%s', (_, variant, product, expected) => {
    expect(offered(variant, product)).toBe(expected)
  })

  test('the order of a combination’s ingredients does not matter', () => {
    const one = toMedicine(source({}, { ingredients: 'Amlodipine; Benazepril' }))
    const other = toMedicine(source({}, { ingredients: 'Benazepril; Amlodipine' }))
    expect(findDifference(one, other)).toBeNull()
  })

  test('dispense as written requires its brand', () => {
    const generic = toMedicine(source())
    const brand = toMedicine(source({ brandName: 'Zestril' }))
    expect(findDifference(medicine, generic, 'Zestril')).toBe('brand')
    expect(findDifference(medicine, brand, 'Zestril')).toBeNull()
  })

  test.each([
    [{ dosageForm: 'cream', labelForm: 'CREAM', packageSize: 60, packageUnit: 'g' }, {}, 2, 'pack', '60 g'],
    [{ dosageForm: 'liquid', packageSize: 5, packageUnit: 'mL' }, { route: 'ophthalmic' }, 2, 'pack', '5 mL'],
    [{ dosageForm: 'syrup', packageSize: 100, packageUnit: 'mL' }, {}, 200, 'mL', null],
    [{ packageSize: 1, packageUnit: '3.5 g tube' }, {}, 2, 'pack', '1 3.5 g tube'],
  ] as const)('counts units, and packs that nobody breaks: %o', (variant, product, units, unit, pack) => {
    const offered = source(variant, product)
    expect(unitsOf(offered, 2)).toBe(units)
    expect(toMedicine(offered)).toMatchObject({ unit, pack })
  })
})

describe('how much', () => {
  test('all fills together never exceed the quantity times the refills and one', () => {
    expect(remainingUnits(item(), [])).toBe(90)
    expect(remainingUnits(item(), [fill(), fill({ status: 'reserved' })])).toBe(30)
    expect(remainingUnits(item(), [fill({ status: 'released' }), fill({ itemId: 'other' })])).toBe(90)
  })

  test('the last refill can be smaller', () => {
    const fills = [fill({ units: 80, dispensedAt: new Date('2025-10-01T09:00:00Z') })]
    expect(checkFill(item(), fills, request)).toEqual({ kind: 'nothing left', left: 10 })
    expect(checkFill(item(), fills, { ...request, units: 10 })).toBeNull()
  })

  test('one fill never exceeds the quantity', () => {
    expect(checkFill(item(), [], { ...request, units: 31 })).toEqual({ kind: 'too many', allowed: 30 })
  })

  test('a smaller fill lasts for its part of the days', () => {
    expect(daysSupplyOf(item(), 15)).toBe(15)
    expect(daysSupplyOf(item({ unitsPerFill: 4, daysSupply: 28 }), 1)).toBe(7)
    expect(daysSupplyOf(item({ unitsPerFill: 90, daysSupply: 30 }), 1)).toBe(1)
  })

  test('a started fill counts as a used refill', () => {
    expect(refillsLeft(item(), [])).toBe(2)
    expect(refillsLeft(item(), [fill()])).toBe(2)
    expect(refillsLeft(item(), [fill(), fill({ units: 10 })])).toBe(1)
    expect(refillsLeft(item(), [fill(), fill(), fill()])).toBe(0)
  })
})

describe('how long', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-05-15', 12, '2027-05-15'],
  ])('%s and %i months is %s', (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected)
  })

  test('a year after it was written, or the earlier date of the pharmacist', () => {
    expect(lastValidDay({ writtenOn: '2026-01-02', validUntil: null })).toBe('2027-01-02')
    expect(lastValidDay({ writtenOn: '2026-01-02', validUntil: '2026-03-01' })).toBe('2026-03-01')
    expect(lastValidDay({ writtenOn: '2026-01-02', validUntil: '2031-01-01' })).toBe('2027-01-02')
  })

  test('the last day is included', () => {
    expect(checkFill(item({ validUntil: '2026-03-10' }), [], request)).toBeNull()
    expect(checkFill(item({ validUntil: '2026-03-09' }), [], request)).toEqual({
      kind: 'expired',
      on: '2026-03-09',
    })
  })

  test.each([
    ['1901-01-01', /more than 12 months/],
    ['2025-03-09', /more than 12 months/],
    ['2026-03-12', /future/],
  ])('%s cannot be dispensed on', (writtenOn, problem) => {
    expect(writtenDateProblem(now, writtenOn)).toMatch(problem)
  })

  // The last is already today in the easternmost time zone.
  test.each(['2025-03-10', '2026-03-10', '2026-03-11'])('%s can', (writtenOn) => {
    expect(writtenDateProblem(now, writtenOn)).toBeNull()
  })
})

describe('how often', () => {
  test('a refill opens when three quarters of the days have passed, rounded up', () => {
    const fills = [fill({ dispensedAt: new Date('2026-02-16T23:59:00Z') })]
    expect(nextFillDay(medicine.ingredientSet, fills, 75)).toBe('2026-03-11')
    expect(checkFill(item(), fills, request)).toEqual({ kind: 'too early', on: '2026-03-11' })
    expect(checkFill(item(), fills, { ...request, now: new Date('2026-03-11T00:00:00Z') })).toBeNull()
  })

  test('it counts over all items of the same ingredients', () => {
    const fills = [fill({ itemId: 'another item', dispensedAt: new Date('2026-03-01T09:00:00Z') })]
    expect(checkFill(item(), fills, request)).toMatchObject({ kind: 'too early' })
  })

  test('no other opens while one has not left the pharmacy', () => {
    const fills = [fill({ status: 'cleared', dispensedAt: null })]
    expect(checkFill(item(), fills, request)).toEqual({ kind: 'in progress' })
    expect(checkFill(item(), fills, { ...request, allowsEarly: true })).toBeNull()
  })

  test('a line’s own fill does not count against it', () => {
    const fills = [fill({ lineId: 'line', status: 'reserved', dispensedAt: null })]
    expect(checkFill(item({ refills: 0 }), fills, request)).toBeNull()
  })
})

test('a pharmacist may confirm another salt or form, never another strength', () => {
  const salt = toMedicine(source({ genericName: 'Lisinopril dihydrate' }))
  const strength = toMedicine(source({ labelStrength: '20 mg' }))
  expect(checkFill(item(), [], { ...request, medicine: salt, allowsSubstitute: true })).toBeNull()
  expect(checkFill(item(), [], { ...request, medicine: strength, allowsSubstitute: true })).toEqual({
    kind: 'different',
    difference: 'strength',
    offeredForm: 'tablet',
  })
})

test('a substitutable difference hides none that is not', () => {
  const problemOf = (variant: Partial<MedicineSource['variant']>, product = {}) =>
    checkFill(item(), [], {
      ...request,
      medicine: toMedicine(source(variant, product)),
      allowsSubstitute: true,
    })
  const solution = { dosageForm: 'liquid', labelForm: 'SOLUTION' } as const
  expect(problemOf({ labelForm: 'TABLET, FILM COATED' })).toBeNull()
  // Another route, and mL for tablets.
  expect(problemOf({ labelForm: 'TABLET, SOLUBLE' }, { route: 'rectal' })).toMatchObject({
    difference: 'form',
  })
  expect(problemOf({ ...solution, packageUnit: 'mL' })).toMatchObject({ difference: 'form' })
})

const capsule = { dosageForm: 'capsule', labelForm: 'CAPSULE' } as const
const coated = { labelForm: 'TABLET, FILM COATED' }
const listedAs = (prescribed: string | null, offered: string | null, isEquivalent: boolean | null) => ({
  prescribed,
  offered,
  isEquivalent,
  listDate: '2026-07-16',
})

test.each([
  [
    'another salt of a brand that is dispensed as written',
    { genericName: 'Lisinopril dihydrate' },
    null,
    true,
  ],
  ['a capsule for a tablet, whatever the codes', capsule, null, true],
  ['a capsule that the list rates like a tablet', capsule, listedAs('AB', 'AB', true), true],
  ['another group of the list with the same code', coated, listedAs('AB', 'AB', false), true],
  ['a code of the list that differs from the one entered', coated, listedAs('AB1', null, null), true],
  ['what the list rates as equivalent', coated, listedAs('AB1', 'AB1', true), false],
  ['a code of the list and the same one entered', coated, listedAs(null, 'AB', null), false],
  ['entered codes where the list has none', coated, listedAs(null, null, null), false],
])('a substitute needs the prescriber: %s', (name, offers, listed, isNeeded) => {
  const prescribed = item(name.includes('as written') ? { dispenseAsWritten: 'Zestril' } : {})
  const offered = toMedicine(source(offers))
  const substitute = { prescribedCode: 'AB', offeredCode: 'AB', note: null, agreement: null }
  const { errors } = decideClearance(
    { earlyNote: null, substitute, destinationNote: null, weight: null },
    {
      listed,
      item: prescribed,
      line: { medicine: offered, units: 30, lineId: 'line' },
      patient: { dateOfBirth: '1980-01-06', hasAnsweredAllergies: true },
      isDestinationServed: true,
      fills: [],
      now,
      opensAtPercent: 75,
    },
  )
  expect(Object.keys(errors)).toEqual(isNeeded ? ['substitute.agreement.with'] : [])
})

test('a closed item allows nothing', () => {
  expect(checkFill(item({ status: 'closed' }), [], request)).toEqual({ kind: 'closed' })
})

describe('a line at checkout', () => {
  const rules = { now, opensAtPercent: 75 }
  const line = { id: null, medicine, units: 30 }
  const chosen = { id: 'new prescription', isTranscribed: false, patientId: 'patient' }
  const resolve = (items: Item[], fills: Fill[] = [], prescription: typeof chosen | null = null) =>
    resolveLine(line, { items, fills }, prescription, rules)

  test('each patient of an account has their own refills', () => {
    const childs = item({ id: 'child’s', patientId: 'child' })
    const early: Fill = {
      id: 'fill',
      itemId: 'item',
      lineId: 'another line',
      units: 30,
      daysSupply: 30,
      ingredientSet: medicine.ingredientSet,
      patientId: 'patient',
      status: 'dispensed',
      dispensedAt: new Date('2026-03-09T12:00:00Z'),
      isUnordered: false,
    }
    expect(checkFill(childs, [early], request)).toBeNull()
    expect(checkFill(item(), [early], request)).toMatchObject({ kind: 'too early' })
    // Both have the medicine: the customer says whose prescription it is.
    expect(resolve([item(), childs], [early])).toEqual({ kind: 'needs prescription' })
    const forChild = { id: 'paper', isTranscribed: true, patientId: 'child' }
    expect(resolve([item(), childs], [early], forChild)).toMatchObject({
      kind: 'covered',
      item: { id: 'child’s' },
    })
    // A new prescription for the child is not refused because the parent’s is too soon.
    expect(resolve([item()], [early], { ...forChild, isTranscribed: false }).kind).toBe('to review')
  })

  test('an item that allows the fill wins over the chosen prescription', () => {
    expect(resolve([item()], [], chosen).kind).toBe('covered')
    expect(resolutionMessage(resolve([item()]))).toBe(
      'Covered by Dr. Natarajan’s prescription, 2 refills left',
    )
  })

  test.each([
    [
      [item({ medicine: { ...medicine, strength: '20 mg' } })],
      [],
      'Not covered: this prescription is for 20 mg.',
    ],
    [
      [item({ medicine: { ...medicine, formText: 'TABLET, EXTENDED RELEASE' } })],
      [],
      'Not covered: this prescription is for “tablet, extended release”, not “tablet”.',
    ],
    [[item({ refills: 0 })], [fill()], 'No refills left. Ask your doctor for a new prescription.'],
    [
      [item({ unitsPerFill: 20 })],
      [],
      'Not covered: one fill is at most 20 tablets. Choose a smaller quantity.',
    ],
    [[], [], 'Choose or upload a prescription for this medicine'],
  ])('says what is wrong', (items, fills, message) => {
    expect(resolutionMessage(resolve(items, fills))).toBe(message)
    expect(resolve(items, fills, chosen)).toEqual({ kind: 'to review', prescriptionId: 'new prescription' })
  })

  test.each([
    [[fill()], item({ refills: 0 }), 'No refills left.'],
    [[], item({ status: 'closed' }), 'Not covered: this item is closed.'],
    [
      [fill({ status: 'cleared', dispensedAt: null })],
      item(),
      'Another fill of this medicine is in progress.',
    ],
    [
      [fill({ dispensedAt: new Date('2026-03-05T09:00:00Z') })],
      item(),
      'Refill too soon: the next fill opens on Mar 28.',
    ],
  ])('a pharmacist reads the same without advice to the customer', (fills, filled, message) => {
    const line = { medicine, units: 30, lineId: 'line' }
    expect(checkCandidate(filled, line, { fills, now, opensAtPercent: 75 }).message).toBe(message)
  })

  test.each([
    [fill({ dispensedAt: new Date('2026-03-05T09:00:00Z') }), 'Available from Mar 28.'],
    [
      fill({ status: 'cleared', dispensedAt: null }),
      'You already have an order for this medicine in progress.',
    ],
  ])('another prescription does not make the same medicine available sooner', (earlier, message) => {
    const alone = resolve([item()], [earlier])
    expect(resolutionMessage(alone)).toBe(message)
    expect(resolve([item()], [earlier], chosen)).toEqual(alone)
    const state = toLineState(alone, 30)
    expect(withChosen(state, chosen)).toEqual(state)
  })

  test('the page and the checkout agree on what the chosen prescription changes', () => {
    const stronger = item({ medicine: { ...medicine, strength: '20 mg' } })
    for (const items of [[], [stronger], [item()], [item({ status: 'closed' })]]) {
      for (const prescription of [null, chosen]) {
        const shown = withChosen(toLineState(resolve(items), 30), prescription).kind
        expect(shown).toBe(toLineState(resolve(items, [], prescription), 30).kind)
      }
    }
  })

  test('a transcribed prescription covers only its items', () => {
    expect(resolve([], [], { ...chosen, isTranscribed: true }).kind).toBe('needs prescription')
  })
})
