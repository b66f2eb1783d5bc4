import { checkCandidate, decideClearance, isMinor, listBlockers } from '#domain/dispensing/clearance.ts'
import type { Fill } from '#domain/dispensing/fill-rules.ts'
import type { ListedCodes } from '#domain/dispensing/listed-codes.ts'
import { toMedicine } from '#domain/dispensing/medicine.ts'
import { preselect, lineFieldId, withChosen, type LineState } from '#domain/dispensing/line-state.ts'
import { fillOf, itemOf, lisinopril, sourceOf } from '#tests/support/prescription-items.ts'
import { describe, expect, test } from 'vitest'

const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['2008-03-10', false],
  ['2008-03-11', true],
  ['2020-01-01', true],
  ['1980-01-01', false],
  [null, false],
])('a patient born on %s is a minor: %s', (dateOfBirth, expected) => {
  expect(isMinor(now, dateOfBirth)).toBe(expected)
})

describe('before any line is cleared', () => {
  const patient = { dateOfBirth: '1980-01-06', hasAnsweredAllergies: true }
  const authentication = { method: 'original', note: '', by: 'x', at: '2026-03-10T12:00:00.000Z' } as const
  const transcribe = 'Transcribe the prescription first.'
  test.each([
    ['nothing is missing', {}, { isApproved: true, authentication }, []],
    ['the prescription', {}, null, [transcribe]],
    ['its transcription', {}, { isApproved: false, authentication: null }, [transcribe]],
    [
      'its authentication',
      {},
      { isApproved: true, authentication: null },
      ['Record how the prescription was authenticated.'],
    ],
    [
      'what the customer must answer',
      { dateOfBirth: null, hasAnsweredAllergies: false },
      { isApproved: true, authentication },
      [
        'The patient’s date of birth is missing. Ask the customer.',
        'The patient’s allergies are missing. Ask the customer. “No known allergies” is an answer.',
      ],
    ],
  ])('%s', (_, changes, prescription, blockers) => {
    expect(listBlockers({ ...patient, ...changes }, prescription)).toEqual(blockers)
  })
})

const coated = toMedicine(sourceOf({ labelForm: 'TABLET, FILM COATED' }))
const stronger = toMedicine(sourceOf({ labelStrength: '20 mg' }))
const extended = toMedicine(sourceOf({ labelForm: 'TABLET, EXTENDED RELEASE' }))
const liquid = { dosageForm: 'liquid', labelForm: 'SUSPENSION' } as const
const suspension = toMedicine(sourceOf(liquid))
const capsule = toMedicine(sourceOf({ dosageForm: 'capsule', labelForm: 'CAPSULE' }))
const early = fillOf({ dispensedAt: new Date('2026-03-05T09:00:00Z') })
const rules = { fills: [] as Fill[], now, opensAtPercent: 75 }
const line = { medicine: lisinopril, units: 30, lineId: 'line' }

describe('what a pharmacist may decide about a fill', () => {
  test.each([
    ['the same medicine', lisinopril, [], null, true, null],
    ['too early', lisinopril, [early], 'early', true, null],
    ['another form', coated, [], 'substitute', true, 'form'],
    ['another form, too early', coated, [early], 'both', true, 'form'],
    ['another strength', stronger, [], null, false, 'strength'],
    ['another strength, too early', stronger, [early], null, false, 'strength'],
  ] as const)('%s', (_, medicine, fills, needs, isPossible, difference) => {
    const check = checkCandidate(itemOf(), { ...line, medicine }, { ...rules, fills })
    expect([check.needs, check.isPossible, check.difference]).toEqual([needs, isPossible, difference])
    expect(check.problem === null).toBe(needs === null && isPossible)
    expect(check.message === null).toBe(check.problem === null)
  })
})

describe('a clearance', () => {
  const nothing = { earlyNote: null, substitute: null, destinationNote: null, weight: null }
  const facts = {
    item: itemOf(),
    line,
    patient: { dateOfBirth: '1980-01-06', hasAnsweredAllergies: true },
    isDestinationServed: true,
    listed: null as ListedCodes | null,
    ...rules,
  }
  const codes = { prescribedCode: 'AB', offeredCode: 'AB', note: null, agreement: null }
  const agreement = { with: 'Dr. Natarajan', on: null }
  type Decisions = Parameters<typeof decideClearance>[0]
  const decide = (decisions: Partial<Decisions>, changes: Partial<typeof facts> = {}) =>
    decideClearance({ ...nothing, ...decisions }, { ...facts, ...changes })

  test('a covered medicine needs no decision', () => {
    expect(decide({})).toEqual({ notes: [], errors: {}, agreement: null })
    // Decisions that are not needed are not recorded.
    expect(decide({ earlyNote: 'x', destinationNote: 'x', substitute: { ...codes, agreement } })).toEqual({
      notes: [],
      errors: {},
      agreement: null,
    })
  })

  test('a disallowed clearance is refused with the reason', () => {
    expect(decide({}, { line: { ...line, medicine: stronger } }).errors).toEqual({
      itemId: 'Not covered: this prescription is for 10 mg.',
    })
  })

  test('an early fill needs a reason', () => {
    expect(decide({}, { fills: [early] }).errors).toEqual({
      earlyNote:
        'Refill too soon: the next fill opens on Mar 28. Say why an early or concurrent fill is appropriate.',
    })
    expect(decide({ earlyNote: 'Travels' }, { fills: [early] })).toEqual({
      notes: [{ kind: 'early', text: 'Travels' }],
      errors: {},
      agreement: null,
    })
  })

  test('an early substitute needs both decisions', () => {
    const both = { fills: [early], line: { ...line, medicine: coated } }
    expect(decide({}, both).errors).toEqual({
      earlyNote:
        'It is too early or another fill is in progress. Say why an early or concurrent fill is appropriate.',
      'substitute.note':
        'Not covered: this prescription is for “tablet”, not “tablet, film coated”. Confirm the substitution with the FDA codes of both medicines.',
    })
    expect(decide({ earlyNote: 'Travels', substitute: codes }, both).notes).toEqual([
      { kind: 'early', text: 'Travels' },
      { kind: 'substitute', text: 'Prescribed: AB, dispensed: AB.' },
    ])
  })

  const substituted = { line: { ...line, medicine: coated } }
  test.each([
    [
      'another code',
      { offeredCode: 'AB1' },
      substituted,
      'Without the same A-code for both medicines, the prescriber must agree.',
    ],
    [
      'no codes',
      { prescribedCode: null, offeredCode: null },
      substituted,
      'Without the same A-code for both medicines, the prescriber must agree.',
    ],
    [
      'the same code that rates nothing',
      { prescribedCode: 'BX', offeredCode: 'BX' },
      substituted,
      'Without the same A-code for both medicines, the prescriber must agree.',
    ],
    [
      'another form',
      {},
      { line: { ...line, medicine: capsule } },
      'FDA rates no other form as equivalent, so the prescriber must agree.',
    ],
    [
      'another form where the label of one states none',
      {},
      { line: { ...line, medicine: { ...capsule, formText: null } } },
      'FDA rates no other form as equivalent, so the prescriber must agree.',
    ],
    [
      'another release of a liquid',
      {},
      {
        item: { ...itemOf(), medicine: suspension },
        line: {
          ...line,
          medicine: toMedicine(sourceOf({ ...liquid, labelForm: 'SUSPENSION, EXTENDED RELEASE' })),
        },
      },
      'FDA rates no other form as equivalent, so the prescriber must agree.',
    ],
    [
      'another release',
      {},
      { line: { ...line, medicine: extended } },
      'FDA rates no other form as equivalent, so the prescriber must agree.',
    ],
    [
      'what the list does not rate',
      {},
      {
        ...substituted,
        listed: { prescribed: 'AB', offered: 'AB', isEquivalent: false, listDate: '2026-07-16' },
      },
      'FDA doesn’t rate them as equivalent, so the prescriber must agree.',
    ],
    [
      'another brand',
      {},
      { ...substituted, item: itemOf({ dispenseAsWritten: 'Zestril' }) },
      'The prescriber wrote “dispense as written”, so they must agree.',
    ],
  ] as const)('a substitute with %s needs the prescriber', (_, changes, given, message) => {
    const substitute = { ...codes, ...changes }
    expect(decide({ substitute }, given).errors).toEqual({
      'substitute.agreement.with': `${message} Enter who agreed.`,
    })
    const agreed = decide({ substitute: { ...substitute, agreement } }, given)
    expect([agreed.errors, agreed.agreement]).toEqual([{}, agreement])
    expect(agreed.notes[0]?.text).toContain('Agreed with Dr. Natarajan.')
  })

  test('an agreement dated later does not allow a substitute', () => {
    const substitute = { ...codes, offeredCode: 'AB1' }
    const on = (day: string) =>
      decide({ substitute: { ...substitute, agreement: { ...agreement, on: day } } }, substituted)
    expect(on('2026-03-12')).toMatchObject({
      errors: {
        'substitute.agreement.on': 'Enter the day on which they agreed. It can’t be in the future.',
      },
      agreement: null,
    })
    expect(on('2026-03-11').errors).toEqual({})
  })

  const list = { prescribed: 'AB1', offered: 'AB1', isEquivalent: true, listDate: '2026-07-16' }
  test.each([
    [
      'codes of the list, with its date',
      codes,
      list,
      'Prescribed: AB1 (FDA’s list of 2026-07-16), dispensed: AB1 (FDA’s list of 2026-07-16).',
    ],
    [
      'a list without a date',
      codes,
      { ...list, listDate: null },
      'Prescribed: AB1 (FDA’s list), dispensed: AB1 (FDA’s list).',
    ],
    [
      'codes that were entered',
      codes,
      { ...list, offered: null },
      'Prescribed: AB1 (FDA’s list of 2026-07-16), dispensed: AB.',
    ],
    [
      'no code, a note and the day of an agreement',
      {
        prescribedCode: null,
        offeredCode: null,
        note: 'Checked.',
        agreement: { with: 'Dr. Natarajan', on: '2026-03-09' },
      },
      { prescribed: null, offered: null, isEquivalent: false, listDate: null },
      'Prescribed: no code, dispensed: no code. The list doesn’t rate them as equivalent. Checked. Agreed with Dr. Natarajan on 2026-03-09.',
    ],
  ])('a clearance records %s', (_, substitute, listed, text) => {
    const { notes } = decide({ substitute }, { ...substituted, listed })
    expect(notes).toEqual([{ kind: 'substitute', text }])
  })

  test('a country that no pharmacy serves needs a reason', () => {
    const away = { isDestinationServed: false }
    expect(decide({}, away).errors).toEqual({
      destinationNote: 'The pharmacy does not ship there. Say why this order may go there.',
    })
    expect(decide({ destinationNote: 'Embassy' }, away).notes).toEqual([
      { kind: 'destination', text: 'Embassy' },
    ])
  })

  test.each([
    ['no weight', null, { 'weight.kilograms': 'The patient is under 18. Enter the weight in kilograms.' }],
    ['no day', { kilograms: 20, on: null }, { 'weight.on': 'Enter the date the patient was weighed.' }],
    [
      'a day to come',
      { kilograms: 20, on: '2026-03-12' },
      { 'weight.on': 'Enter the date the patient was weighed.' },
    ],
    ['today in the easternmost time zone', { kilograms: 20, on: '2026-03-11' }, {}],
  ])('a clearance for a child with %s', (_, weight, errors) => {
    const decision = decide(
      { weight },
      { patient: { dateOfBirth: '2019-01-01', hasAnsweredAllergies: true } },
    )
    expect(decision.errors).toEqual(errors)
    expect(decision.notes).toEqual(
      Object.keys(errors).length > 0 ? [] : [{ kind: 'weight', text: '20 kg on 2026-03-11' }],
    )
  })
})

describe('a chosen prescription at checkout', () => {
  const covered: LineState = {
    kind: 'covered',
    message: 'Covered',
    needsPrescription: false,
    isTooSoon: false,
    allowedPacks: 0,
    needsUpload: false,
  }
  const choose: LineState = { ...covered, kind: 'choose', message: 'Choose', needsPrescription: true }
  const refused: LineState = { ...covered, kind: 'refused', message: 'No refills left', needsUpload: true }
  const tooSoon: LineState = {
    ...covered,
    kind: 'refused',
    message: 'Available from Mar 28.',
    isTooSoon: true,
  }
  const paper = { isTranscribed: false, patientId: 'patient' }
  const read = { isTranscribed: true, patientId: 'patient' }
  const toReview = {
    ...covered,
    kind: 'to review',
    message: 'A pharmacist will check this against the prescription you choose',
  }
  const otherMedicine = {
    ...choose,
    kind: 'refused',
    message: 'Not covered: the prescription you chose is for another medicine',
  }
  test.each([
    ['nothing chosen', choose, null, choose],
    ['a covered line', covered, paper, covered],
    ['a line that is too soon', tooSoon, paper, tooSoon],
    ['a prescription that was not read', choose, paper, toReview],
    ['a refused line and one that was not read', refused, paper, toReview],
    ['a prescription for another medicine', choose, read, otherMedicine],
    ['a refused line', refused, read, refused],
    ['the items of its patient', { ...choose, ofPatients: { patient: covered } }, read, covered],
    ['a patient without items', { ...covered, ofPatients: { child: covered } }, read, { ...otherMedicine }],
    [
      'a patient without items and a new paper',
      { ...covered, ofPatients: { child: covered } },
      paper,
      toReview,
    ],
    [
      'nothing chosen for several patients',
      { ...choose, ofPatients: { patient: covered } },
      null,
      { ...choose, ofPatients: { patient: covered } },
    ],
  ] as const)('choosing a prescription: %s', (_, state, chosen, expected) => {
    expect(withChosen(state, chosen)).toEqual(expected)
  })

  test('a prescription is preselected only where no other can be meant', () => {
    const needs = { needsPrescription: true }
    expect(preselect([needs], [paper])).toBe(paper)
    expect(preselect([null, { needsPrescription: false }, needs], [read, paper])).toBe(paper)
    expect(preselect([needs], [paper, { ...paper }])).toBeNull()
    expect(preselect([needs], [read])).toBeNull()
    expect(preselect([needs], [])).toBeNull()
    expect(preselect([null, { needsPrescription: false }], [paper])).toBeNull()
    expect(preselect([], [paper])).toBeNull()
  })

  test('each line has a field for its prescription', () => {
    expect(lineFieldId('variant')).toBe('line-variant')
  })
})
