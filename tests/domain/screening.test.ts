import { toFactKeys } from '#domain/screening/fact-keys.ts'
import { quoteSentence } from '#domain/screening/quote.ts'
import { screen } from '#domain/screening/screen.ts'
import {
  alertsOf,
  brief,
  factsWith,
  lineOf,
  medicationOf,
  pairOf,
  patientWith,
} from '#tests/support/screening.ts'
import { expect, test } from 'vitest'

test('orders by harm and folds what comes after three', () => {
  const names = ['A', 'B', 'C', 'D']
  const interactions = [
    pairOf('X', 'A'),
    pairOf('X', 'B', { level: 'boxed' }),
    pairOf('X', 'C'),
    pairOf('X', 'D'),
  ]
  const medications = names.map((name) => medicationOf([name]))
  expect(brief(alertsOf({ lines: [lineOf(['X'])], medications }, { interactions }))).toEqual([
    'high interaction:B|X',
    'medium interaction:A|X',
    'medium interaction:C|X',
    '(medium interaction:D|X)',
  ])
})

test('keeps what an admin turned down, low and folded, and never allergies', () => {
  const input = {
    lines: [lineOf(['X'])],
    medications: [medicationOf(['A'])],
    patient: { allergies: [{ name: 'X', kind: 'ingredient', key: 'X' }] },
    turnedDown: [{ kind: 'interaction', list: 'interactions-label', grade: 'Drug interactions' }],
  } as const
  expect(brief(alertsOf(input, { interactions: [pairOf('X', 'A')] }))).toEqual([
    'high allergy:X|X',
    '(low interaction:A|X)',
  ])
  const two = [pairOf('X', 'A'), pairOf('A', 'X', { level: 'contraindicated' })]
  expect(brief(alertsOf(input, { interactions: two }))).toEqual(['high allergy:X|X', 'high interaction:A|X'])
})

test('says what it could not check', () => {
  const { notChecked } = screen(
    {
      lines: [lineOf([], { name: 'Herbal tea' })],
      patient: patientWith({
        medications: [medicationOf([], { name: 'blue pill' })],
        allergies: [{ name: 'cats', kind: 'unrecognized', key: '' }],
        breastfeeding: true,
      }),
      today: '2026-11-22',
    },
    factsWith({}),
  )
  expect(notChecked).toEqual([
    { kind: 'medication', name: 'blue pill' },
    { kind: 'allergy', name: 'cats' },
    { kind: 'line', name: 'Herbal tea' },
    { kind: 'breastfeeding' },
  ])
})

test.each([
  ['Lithium should not be given with diuretics because they reduce its clearance', 'LITHIUM', true],
  ['…oring of theophylline should be considered in patients who take it', 'THEOPHYLLINE', false],
  ['7 DRUG INTERACTIONS. Methadone', 'METHADONE', false],
  [
    'An increased methadone dose may be required in a small number of patients.. Riociguat',
    'RIOCIGUAT',
    false,
  ],
  ['Erythromycin 100% NA Itraconazole 80% NA Lapatinib NA 180% should', 'ITRACONAZOLE', false],
  [
    'Avoid concomitant use of strong CYP3A inhibitors in patients who take it',
    'Strong CYP3A4 inhibitors',
    true,
  ],
])('quotes a label only where it reads as a sentence: %s', (text, name, isQuoted) => {
  expect(quoteSentence(text, name)).toBe(isQuoted ? text : null)
})

test('looks up the sets that one item has, and not those of two', () => {
  const keys = toFactKeys([lineOf(['A', 'C', 'B'])], patientWith({ medications: [medicationOf(['D'])] }))
  expect(keys.subjects.toSorted()).toEqual(['A', 'A + B', 'A + B + C', 'A + C', 'B', 'B + C', 'C', 'D'])
  expect(keys.allergyIngredients).toEqual([])
  const large = Array.from({ length: 40 }, (_, index) => `I${index}`)
  expect(toFactKeys([lineOf(large)], patientWith({})).subjects.length).toBeLessThan(900)
})
