import {
  listedItems,
  medicineName,
  nextFillUnits,
  prescribedMedicine,
  refillProblem,
  toMedication,
} from '#domain/dispensing/medication.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import { fillOf, itemOf, lisinopril } from '#tests/support/prescription-items.ts'
import { describe, expect, test } from 'vitest'

const now = new Date('2026-03-10T12:00:00Z')
const rules = { now, opensAtPercent: 75 }
const names = { number: 123, dependantName: null }

test('the next fill never takes more than one fill allows, or than is left', () => {
  const unitsAfter = (units: number) => nextFillUnits(itemOf(), [fillOf({ units })])
  expect([0, 30, 75, 90, 120].map(unitsAfter)).toEqual([30, 30, 15, 0, 0])
})

test('an item that requires a brand is refilled as that brand', () => {
  const asWritten = itemOf({ dispenseAsWritten: 'Zestril' })
  expect(prescribedMedicine(asWritten)).toEqual({ ...lisinopril, brandName: 'Zestril' })
  expect(prescribedMedicine(itemOf({ medicine: { ...lisinopril, brandName: 'Prinivil' } })).brandName).toBe(
    'Prinivil',
  )
  expect(refillProblem(asWritten, [], rules)).toBeNull()
})

test.each<[string, Partial<Item>, string]>([
  ['the form as the directory writes it', {}, 'Lisinopril 10 mg, tablet'],
  ['a required brand', { dispenseAsWritten: 'Zestril' }, 'Zestril (Lisinopril) 10 mg, tablet'],
  [
    'no text of the form',
    { medicine: { ...lisinopril, formText: null, form: 'capsule' } },
    'Lisinopril 10 mg, capsule',
  ],
  [
    'neither form nor strength',
    { medicine: { ...lisinopril, formText: null, form: null, strength: '' } },
    'Lisinopril',
  ],
])('a medicine is named with %s', (_, changes, name) => {
  expect(medicineName(itemOf(changes))).toBe(name)
})

describe('a customer’s prescription item', () => {
  test('an item shows what was prescribed and what is left', () => {
    expect(toMedication(itemOf(), [fillOf()], { ...rules, ...names })).toEqual({
      id: 'item',
      prescriptionId: 'prescription',
      rxNumber: 'Rx 000123',
      name: 'Lisinopril 10 mg, tablet',
      directions: 'Take 1 tablet by mouth daily',
      prescriberName: 'Dr. Natarajan',
      perFill: '30 tablets',
      daysSupply: 30,
      refills: 2,
      refillsLeft: 2,
      isNew: false,
      state: 'ready',
      nextOn: '2026-01-28',
      validUntil: '2027-01-02',
      isEnding: false,
    })
  })

  test('an item names the dependant, and has no number before a pharmacist gave one', () => {
    expect(toMedication(itemOf(), [], { ...rules, number: null, dependantName: 'Mia Marsh' })).toMatchObject({
      rxNumber: null,
      name: 'Lisinopril 10 mg, tablet (for Mia Marsh)',
      isNew: true,
      nextOn: null,
    })
  })

  const early = fillOf({ dispensedAt: new Date('2026-03-05T09:00:00Z') })
  test.each<[string, Partial<Item>, Fill[], string]>([
    ['its first fill', {}, [], 'ready'],
    ['a fill on its way', {}, [fillOf({ status: 'cleared', dispensedAt: null })], 'in progress'],
    ['a fill some days ago', {}, [early], 'too early'],
    ['a fill of another patient', {}, [{ ...early, itemId: 'other', patientId: 'child' }], 'ready'],
    ['a last fill that is smaller', {}, [fillOf({ units: 89 })], 'ready'],
    ['nothing left', { refills: 0 }, [fillOf()], 'used up'],
    ['its last day gone', { validUntil: '2026-03-09' }, [], 'expired'],
    ['been closed', { status: 'closed' }, [], 'closed'],
  ])('an item that has %s is %s', (_, changes, fills, state) => {
    const item = itemOf(changes)
    expect(toMedication(item, fills, { ...rules, ...names }).state).toBe(state)
  })

  test.each<[string, Partial<Item>, Fill[], boolean]>([
    ['a month left', { validUntil: '2026-04-09' }, [], false],
    ['a day less than a month left', { validUntil: '2026-04-08' }, [], true],
    ['a unit left', { refills: 0 }, [fillOf({ units: 29 })], false],
    ['no unit left', { refills: 0 }, [fillOf()], true],
    ['been closed', { status: 'closed' }, [], true],
  ])('an item that has %s asks for a new prescription: %#', (_, changes, fills, isEnding) => {
    expect(toMedication(itemOf(changes), fills, { ...rules, ...names }).isEnding).toBe(isEnding)
  })

  test('an item is new until something was ordered on it', () => {
    const isNew = (fill: Partial<Fill>) =>
      toMedication(itemOf(), [fillOf(fill)], { ...rules, ...names }).isNew
    expect([isNew({}), isNew({ status: 'released' }), isNew({ itemId: 'other' })]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('the list of a customer’s items', () => {
  const other = itemOf({ id: 'other', medicine: { ...lisinopril, ingredientSet: 'metformin' } })
  const stronger = itemOf({ id: 'stronger', medicine: { ...lisinopril, strength: '20 mg' } })
  const sofias = itemOf({ id: 'sofias', patientId: 'sofia' })
  const [first, second] = [itemOf({ id: 'first' }), itemOf({ id: 'second' })]
  test.each([
    ['none that ended', [first, second, other], [], ['first', 'second', 'other']],
    ['an ended one that a later one continues', [first, second], ['first'], ['second']],
    ['an ended one that an earlier one continues', [first, second], ['second'], ['first']],
    ['the last of two that ended', [first, second], ['first', 'second'], ['second']],
    ['an ended one of another medicine', [first, other], ['first'], ['first', 'other']],
    ['an ended one of another strength', [first, stronger], ['first'], ['first', 'stronger']],
    ['an ended one of another patient', [first, sofias], ['first'], ['first', 'sofias']],
    ['the only one', [first], ['first'], ['first']],
  ])('the list of items has %s', (_, items, ended, listed) => {
    expect(listedItems(items, ({ id }) => ended.includes(id)).map(({ id }) => id)).toEqual(listed)
  })
})
