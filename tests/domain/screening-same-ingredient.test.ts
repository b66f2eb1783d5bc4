import type { ScreenedLine } from '#domain/screening/line.ts'
import type { ScreenedMedication } from '#domain/screening/patient.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import {
  alertsOf,
  brief,
  itemOf,
  lineOf,
  medicationOf,
  noSource,
  today,
  x,
} from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('the same ingredient', () => {
  const taken = (changes: Parameters<typeof medicationOf>[1] = {}) =>
    medicationOf(['X'], {
      name: 'Taken X',
      source: 'dispensed',
      route: 'oral',
      strength: '10 mg',
      itemId: '2',
      ...changes,
    })
  const rx = { ...x, itemId: '1', strength: '10 mg' }
  const levelOf = (lines: ScreeningInput['lines'], medications: ReturnType<typeof taken>[] = []) =>
    alertsOf({ lines, patient: { medications } }, {}).map(({ level }) => level)[0] ?? null

  test('an alert has the lines on one side and what the patient takes on the other', () => {
    const listDates = { 'ingredient-names': '2026-01-01' }
    const alert = {
      key: 'same-ingredient:X',
      kind: 'same-ingredient',
      level: 'high',
      isFolded: false,
      audience: 'everyone',
      effect: null,
      first: { key: 'X', items: [itemOf('X')], sets: ['X'], itemIds: ['1'] },
      second: { key: 'X', items: [{ kind: 'dispensed', name: 'Taken X' }], sets: ['X'], itemIds: ['2'] },
      detail: '',
      sources: [{ ...noSource, list: 'ingredient-names', listDate: '2026-01-01' }],
    }
    expect(alertsOf({ lines: [rx], patient: { medications: [taken()] } }, { listDates })).toEqual([alert])
    const another = { ...x, id: 'b', variantId: 'b', name: 'B' }
    const line = { kind: 'line', id: 'b', name: 'B' }
    expect(alertsOf({ lines: [rx, another] }, { listDates })).toEqual([
      { ...alert, second: { key: 'X', items: [line], sets: ['X'], itemIds: [] } },
    ])
  })

  test.each([
    ['the same item', [rx], [taken({ itemId: '1' })], null],
    ['another item', [rx], [taken()], 'high'],
    ['another strength on another item', [rx], [taken({ strength: '5 mg' })], 'medium'],
    ['another strength without an item', [x], [taken({ strength: '5 mg' })], 'high'],
    [
      'another strength where the line has no item',
      [{ ...rx, itemId: null }],
      [taken({ strength: '5 mg' })],
      'high',
    ],
    [
      'another strength where the other has no item',
      [rx],
      [medicationOf(['X'], { source: 'dispensed', strength: '5 mg' })],
      'high',
    ],
    [
      'another strength in a combination',
      [{ ...rx, ingredients: ['X', 'Y'] }],
      [taken({ strength: '5 mg' })],
      'high',
    ],
    [
      'no strength of what was dispensed',
      [rx],
      [medicationOf(['X'], { source: 'dispensed', itemId: '2' })],
      'high',
    ],
    ['an unknown strength', [rx], [taken({ strength: '' })], 'high'],
    ['an unknown strength of the line', [{ ...rx, strength: '' }], [taken()], 'high'],
    ['what the patient lists', [rx], [taken({ source: 'listed' })], null],
    ['a supply that is due today', [rx], [taken({ refillsFrom: today })], null],
    ['a supply that is due tomorrow', [rx], [taken({ refillsFrom: '2026-11-23' })], 'high'],
    ['a due supply of another strength', [rx], [taken({ refillsFrom: today, strength: '5 mg' })], 'medium'],
    ['two packs of a variant', [x, { ...x, id: 'b' }], [], null],
    ['two variants', [x, { ...x, id: 'b', variantId: 'b' }], [], 'high'],
    [
      'two strengths of two items',
      [rx, { ...rx, id: 'b', variantId: 'b', itemId: '2', strength: '5 mg' }],
      [],
      'medium',
    ],
    ['two strengths of one item', [rx, { ...rx, id: 'b', variantId: 'b', strength: '5 mg' }], [], null],
    [
      'two creams',
      [
        { ...x, route: 'topical' },
        { ...x, id: 'b', variantId: 'b', route: 'topical' },
      ],
      [],
      'low',
    ],
    [
      'a spray and a tablet',
      [
        { ...x, route: 'nasal' },
        { ...x, id: 'b', variantId: 'b' },
      ],
      [],
      'low',
    ],
    [
      'a cream and a tablet',
      [
        { ...x, route: 'topical' },
        { ...x, id: 'b', variantId: 'b' },
      ],
      [],
      null,
    ],
    ['what the patient takes twice', [], [taken(), taken({ itemId: '3' })], null],
  ] as const)('%s', (_, lines, medications, level) => {
    expect(levelOf(lines, [...medications])).toBe(level)
  })

  test('an alert for several pairs has the most severe level', () => {
    const nasal = { ...x, id: 'b', variantId: 'b', route: 'nasal' }
    const oral = { ...x, id: 'c', variantId: 'c' }
    expect(levelOf([nasal, rx, oral])).toBe('high')
    expect(levelOf([rx, oral, nasal])).toBe('high')
    const [alert] = alertsOf({ lines: [nasal, oral] }, {})
    expect([alert?.level, alert?.isFolded]).toEqual(['low', true])
  })

  test('the ingredients that two items share are one alert, and another pair is another', () => {
    const keys = (...sets: string[][]) =>
      alertsOf({ lines: sets.map((set, i) => lineOf(set, { id: `${i}`, variantId: `${i}` })) }, {}).map(
        ({ key }) => key,
      )
    expect(keys(['X', 'Y'], ['X', 'Y', 'Z'])).toEqual(['same-ingredient:X + Y'])
    expect(keys(['X', 'Y'], ['X'], ['Y'])).toEqual(['same-ingredient:X', 'same-ingredient:Y'])
    expect(keys(['X', 'WATER'], ['WATER'])).toEqual([])
  })
})

describe('a shared ingredient', () => {
  const rx = (item: string, strength = '10 mg'): ScreenedLine =>
    lineOf(['LISINOPRIL'], { id: item, variantId: `${item} ${strength}`, itemId: item, strength })
  const dispensed = (item: string, changes: Partial<ScreenedMedication> = {}): ScreenedMedication =>
    medicationOf(['LISINOPRIL'], {
      source: 'dispensed',
      itemId: item,
      strength: '10 mg',
      route: 'oral',
      ...changes,
    })
  const combination = ['HYDROCHLOROTHIAZIDE', 'LISINOPRIL']
  const otc = (id: string, route = 'oral'): ScreenedLine =>
    lineOf(['HYDROCORTISONE'], { id, variantId: id, route })

  test.each<[string, ScreenedLine[], ScreenedMedication[], string[]]>([
    ['in two lines', [otc('1'), otc('2')], [], ['high same-ingredient:HYDROCORTISONE']],
    [
      'in a line and another medicine',
      [rx('1')],
      [medicationOf(combination)],
      ['high same-ingredient:LISINOPRIL'],
    ],
    [
      'in two medicines of several',
      [lineOf(combination)],
      [medicationOf([...combination, 'POTASSIUM'])],
      ['high same-ingredient:HYDROCHLOROTHIAZIDE + LISINOPRIL'],
    ],
    ['of an earlier fill of the item', [rx('1')], [dispensed('1')], []],
    [
      'of an earlier fill of the item in another strength',
      [rx('1')],
      [dispensed('1', { strength: '5 mg' })],
      [],
    ],
    ['that the patient lists', [rx('1')], [medicationOf(['LISINOPRIL'])], []],
    ['on another item', [rx('1')], [dispensed('2')], ['high same-ingredient:LISINOPRIL']],
    ['on another item when a supply is due', [rx('1')], [dispensed('2', { refillsFrom: '2026-11-20' })], []],
    [
      'on another item before a supply is due',
      [rx('1')],
      [dispensed('2', { refillsFrom: '2026-11-30' })],
      ['high same-ingredient:LISINOPRIL'],
    ],
    ['in two prescribed strengths', [rx('1'), rx('2', '20 mg')], [], ['medium same-ingredient:LISINOPRIL']],
    [
      'in two strengths of which one was dispensed',
      [rx('1')],
      [dispensed('2', { strength: '5 mg' })],
      ['medium same-ingredient:LISINOPRIL'],
    ],
    [
      'in two packs of one item',
      [rx('1'), lineOf(['LISINOPRIL'], { id: 'b', variantId: 'b', itemId: '1' })],
      [],
      [],
    ],
    ['on the skin and by mouth', [otc('1'), otc('2', 'topical')], [], []],
    [
      'on the skin twice',
      [otc('1', 'topical'), otc('2', 'topical')],
      [],
      ['(low same-ingredient:HYDROCORTISONE)'],
    ],
    [
      'through the nose and by mouth',
      [otc('1', 'nasal'), otc('2')],
      [],
      ['(low same-ingredient:HYDROCORTISONE)'],
    ],
    ['that only dissolves', [lineOf(['INSULIN', 'WATER'])], [medicationOf(['WATER'])], []],
  ])('%s', (_, lines, medications, expected) => {
    expect(brief(alertsOf({ lines, medications }, {}))).toEqual(expected)
  })
})
