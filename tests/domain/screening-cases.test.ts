import { currentFills } from '#domain/screening/dispensed.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import { isTurnedDown, type ScreeningRule } from '#domain/screening/rules.ts'
import { screen } from '#domain/screening/screen.ts'
import { itemsWith, toScreenedCase } from '#domain/screening/screened-case.ts'
import { alertsOf, factsWith, lineOf, medicationOf, patientWith, today, x } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('what an admin turned down', () => {
  const rule: ScreeningRule = { kind: 'interaction', list: 'interactions-label', grade: 'Boxed warning' }
  const source = { kind: 'interaction', list: 'interactions-label', grade: 'Boxed warning' } as const
  test.each<[string, ScreeningRule[], boolean]>([
    ['nothing', [], false],
    ['this', [rule], true],
    ['this and another', [{ ...rule, kind: 'dose' }, rule], true],
    ['another kind', [{ ...rule, kind: 'dose' }], false],
    ['another kind of any list', [{ ...rule, kind: 'dose', list: null, grade: null }], false],
    ['another list', [{ ...rule, list: 'interactions-ndfrt' }], false],
    ['another list of any grade', [{ ...rule, list: 'interactions-ndfrt', grade: null }], false],
    ['another grade', [{ ...rule, grade: 'Critical' }], false],
    ['any list', [{ ...rule, list: null }], true],
    ['any grade', [{ ...rule, grade: null }], true],
  ])('%s: %#', (_, rules, expected) => {
    expect(isTurnedDown(rules, source)).toBe(expected)
  })

  test('a rule that an admin turned down stays information, and a figure without a source stays as it is', () => {
    const turnedDown: ScreeningRule[] = [
      { kind: 'dose', list: null, grade: null },
      { kind: 'shortage', list: null, grade: null },
    ]
    const line = { ...x, fill: { units: 30, unit: 'tablet', daysSupply: 30 } }
    const shortages = [{ ndc: null, ingredients: 'X', status: 'Current', reason: null, date: null }]
    const brief = (rules: ScreeningRule[]) =>
      alertsOf({ lines: [line], turnedDown: rules }, { shortages }).map(({ kind, level, isFolded }) => [
        kind,
        level,
        isFolded,
      ])
    expect(brief(turnedDown)).toEqual([
      ['dose', 'information', false],
      ['shortage', 'information', true],
    ])
    expect(brief([])).toEqual([
      ['dose', 'information', false],
      ['shortage', 'information', false],
    ])
  })
})

test('what is known is not reported as unchecked', () => {
  const notChecked = (patient: Parameters<typeof patientWith>[0], lines = [x]) =>
    screen({ lines, patient: patientWith(patient), today }, factsWith({})).notChecked
  const known = {
    medications: [medicationOf(['Y'])],
    allergies: [{ name: 'Z', kind: 'ingredient', key: 'Z' } as const],
    breastfeeding: false,
  }
  expect(notChecked(known)).toEqual([])
  expect(notChecked({ weight: 150 }, [{ ...x, isIncomplete: true }])).toEqual([
    { kind: 'line', name: 'Line X' },
    { kind: 'weight' },
  ])
})

describe('a case', () => {
  const ab = lineOf(['A', 'B'])
  const abc = medicationOf(['A', 'B', 'C'])
  const screened = toScreenedCase(
    [ab, lineOf(['A'])],
    patientWith({ medications: [abc, medicationOf(['D'])] }),
  )
  test('a case numbers the lines and then what the patient takes', () => {
    expect(screened.items.map(({ index, set }) => [index, set])).toEqual([
      [0, 'A + B'],
      [1, 'A'],
      [2, 'A + B + C'],
      [3, 'D'],
    ])
  })

  test.each([
    ['A', [0, 1, 2]],
    ['D', [3]],
    ['E', []],
    ['A + B', [0, 2]],
    ['A + B + C', [2]],
    ['A + D', []],
    ['E + A', []],
  ])('a case has the items with %s', (subject, indexes) => {
    expect(itemsWith(screened, subject).map(({ index }) => index)).toEqual(indexes)
  })
})

test('a fill counts for its days and 30 more', () => {
  const fill = (dispensedOn: string, daysSupply: number) => ({
    name: 'X',
    itemId: '1',
    ingredients: 'X',
    substances: '',
    route: null,
    strength: '10 mg',
    dispensedOn,
    daysSupply,
    refillsFrom: null,
  })
  const isCurrent = (dispensedOn: string, daysSupply: number) =>
    currentFills([fill(dispensedOn, daysSupply)], today).length === 1
  expect([isCurrent('2026-09-23', 30), isCurrent('2026-09-22', 30)]).toEqual([true, false])
  expect([isCurrent('2026-10-23', 0), isCurrent('2026-10-22', 0), isCurrent('2026-10-23', -5)]).toEqual([
    true,
    false,
    true,
  ])
})

test('looks up everything that a case may be found by', () => {
  const allergies = [
    { name: 'Q', kind: 'ingredient', key: 'Q' },
    { name: 'G', kind: 'group', key: 'penicillin' },
  ] as const
  const lines = [
    lineOf(['B', 'A'], { ndc: '1-2-3', applicationNumber: 'NDA1', lots: ['L1', 'L2'] }),
    lineOf(['A'], { ndc: '1-2-3', lots: ['L1'] }),
    lineOf([]),
  ]
  const medications = [medicationOf(['C', 'D'])]
  expect(toFactKeys(lines, patientWith({ medications, allergies }))).toEqual({
    ingredients: ['B', 'A', 'C', 'D'],
    subjects: ['A', 'B', 'A + B', 'C', 'D', 'C + D'],
    lineSubjects: ['A', 'B', 'A + B'],
    allergyIngredients: ['B', 'A', 'Q'],
    labelSets: ['B', 'A', 'A + B'],
    lineSets: ['A + B', 'A'],
    lots: ['L1', 'L2'],
    applicationNumbers: ['NDA1'],
    ndcs: ['1-2-3'],
    shopCodes: ['variant:B,A', 'variant:A', 'variant:'],
  })
  const unknown = [{ name: 'cats', kind: 'unrecognized', key: '' }] as const
  expect(toFactKeys(lines, patientWith({ allergies: unknown })).allergyIngredients).toEqual([])
})

test.each([
  [1, 1],
  [6, 2 ** 6 - 1],
  // Sets of up to three, and the whole.
  [7, 7 + 21 + 35 + 1],
  [16, 16 + 120 + 560 + 1],
  // Pairs, and the whole.
  [17, 17 + 136 + 1],
])('an item of %i ingredients is looked up by %i sets', (size, sets) => {
  const ingredients = Array.from({ length: size }, (_, i) => `I${String(i).padStart(2, '0')}`)
  expect(toFactKeys([lineOf(ingredients)], patientWith({})).lineSubjects).toHaveLength(sets)
})
