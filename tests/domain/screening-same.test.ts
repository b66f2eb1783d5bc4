import type { ClassFact } from '#domain/screening/facts.ts'
import { compareRoutes, reachOf } from '#domain/screening/routes.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { alertsOf, itemOf, lineOf, medicationOf, noSource, today, x, y } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('routes', () => {
  const absorbed = ['nasal', 'inhalation', 'vaginal', 'dialysis']
  const surface = ['topical', 'ophthalmic', 'otic', 'dental', 'urethral', 'irrigation']
  test('reach the whole body, a part of it, or a surface', () => {
    expect(absorbed.map(reachOf)).toEqual(Array(4).fill('absorbed'))
    expect(surface.map(reachOf)).toEqual(Array(6).fill('surface'))
    expect(['oral', 'unheard of', '', null].map(reachOf)).toEqual(Array(4).fill('systemic'))
  })

  test.each([
    ['oral', 'oral', 'same'],
    ['oral', 'intravenous', 'same'],
    ['oral', null, 'same'],
    ['nasal', 'nasal', 'same'],
    ['topical', 'topical', 'same'],
    ['nasal', 'oral', 'partly'],
    ['nasal', 'inhalation', 'partly'],
    ['topical', 'oral', 'apart'],
    ['topical', 'otic', 'apart'],
    ['topical', 'nasal', 'apart'],
  ])('%s and %s take an ingredient: %s', (a, b, expected) => {
    expect([compareRoutes(a, b), compareRoutes(b, a)]).toEqual([expected, expected])
  })
})

describe('the same class', () => {
  const member = (ingredient: string, system: 'EPC' | 'ATC', code: string, name: string): ClassFact => ({
    ingredient,
    system,
    code,
    name,
  })
  const epc = (ingredient: string) => member(ingredient, 'EPC', '', 'Class')
  const atc = (ingredient: string, code: string) => member(ingredient, 'ATC', code, ingredient)
  const keys = (lines: ScreeningInput['lines'], classes: ClassFact[]) =>
    alertsOf({ lines }, { classes }).map(({ key }) => key)

  test('is one alert of all items, whatever their order', () => {
    const lines = [y, x, { ...x, id: 'again', name: 'Again' }]
    const classes = [atc('X', 'C10AA05'), epc('X'), atc('Y', 'C10AA01'), epc('Y')]
    const listDates = { 'ingredient-classes': '2026-01-01' }
    const source = { ...noSource, list: 'ingredient-classes', listDate: '2026-01-01' }
    expect(alertsOf({ lines }, { classes, listDates })).toEqual([
      {
        key: 'same-class:X|Y',
        kind: 'same-class',
        level: 'medium',
        isFolded: false,
        audience: 'everyone',
        effect: null,
        first: { key: 'X', items: [itemOf('X'), { kind: 'line', id: 'again', name: 'Again' }] },
        second: { key: 'Y', items: [itemOf('Y')] },
        detail: 'Class',
        sources: [
          { ...source, grade: 'Class' },
          { ...source, grade: 'ATC C10AA' },
        ],
      },
    ])
  })

  test('without a name is identified by its codes, in their order', () => {
    const codes = (ingredient: string) => [atc(ingredient, 'N02BE01'), atc(ingredient, 'C10AA01')]
    expect(alertsOf({ lines: [x, y] }, { classes: [...codes('X'), ...codes('Y')] })[0]?.detail).toBe(
      'C10AA, N02BE',
    )
  })

  test.each([
    ['a code of five characters', 'C10AA', ['same-class:X|Y']],
    ['a shorter code', 'C10A', []],
    ['mouth', 'A01AB03', []],
    ['hemorrhoids', 'C05AA01', []],
    ['vessels', 'C05BA01', ['same-class:X|Y']],
    ['skin', 'D01AC08', []],
    ['gynecology', 'G01AF01', []],
    ['joints', 'M02AA01', []],
    ['nose', 'R01AA01', []],
    ['a nose tablet', 'R01BA01', ['same-class:X|Y']],
    ['throat', 'R02AA01', []],
    ['eye', 'S01AA01', []],
  ])('by a code of %s', (_, code, expected) => {
    expect(keys([x, y], [atc('X', code), atc('Y', code)])).toEqual(expected)
  })

  test('needs two ingredients of two items, neither in both', () => {
    const classes = [epc('X'), epc('Y')]
    expect(keys([lineOf(['X', 'Y'])], classes)).toEqual([])
    expect(keys([x], classes)).toEqual([])
    expect(keys([x, y], [epc('X')])).toEqual([])
    expect(keys([x, y], [epc('X'), member('Y', 'EPC', '', 'Other')])).toEqual([])
    const shared = keys([lineOf(['X', 'Z']), lineOf(['Y', 'Z'])], [...classes, epc('Z')])
    expect(shared.filter((key) => key.startsWith('same-class'))).toEqual(['same-class:X|Y'])
    expect(keys([x, { ...y, route: 'nasal' }], classes)).toEqual([])
  })
})

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

  test('has the lines at one side and what the patient takes at the other', () => {
    const listDates = { 'ingredient-names': '2026-01-01' }
    const alert = {
      key: 'same-ingredient:X',
      kind: 'same-ingredient',
      level: 'high',
      isFolded: false,
      audience: 'everyone',
      effect: null,
      first: { key: 'X', items: [itemOf('X')] },
      second: { key: 'X', items: [{ kind: 'dispensed', name: 'Taken X' }] },
      detail: '',
      sources: [{ ...noSource, list: 'ingredient-names', listDate: '2026-01-01' }],
    }
    expect(alertsOf({ lines: [rx], patient: { medications: [taken()] } }, { listDates })).toEqual([alert])
    const another = { ...x, id: 'b', variantId: 'b', name: 'B' }
    expect(alertsOf({ lines: [rx, another] }, { listDates })).toEqual([
      { ...alert, second: { key: 'X', items: [{ kind: 'line', id: 'b', name: 'B' }] } },
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

  test('of several pairs has the gravest level', () => {
    const nasal = { ...x, id: 'b', variantId: 'b', route: 'nasal' }
    const oral = { ...x, id: 'c', variantId: 'c' }
    expect(levelOf([nasal, rx, oral])).toBe('high')
    expect(levelOf([rx, oral, nasal])).toBe('high')
    const [alert] = alertsOf({ lines: [nasal, oral] }, {})
    expect([alert?.level, alert?.isFolded]).toEqual(['low', true])
  })

  test('that the same items share is one alert, another pair another', () => {
    const keys = (...sets: string[][]) =>
      alertsOf({ lines: sets.map((set, i) => lineOf(set, { id: `${i}`, variantId: `${i}` })) }, {}).map(
        ({ key }) => key,
      )
    expect(keys(['X', 'Y'], ['X', 'Y', 'Z'])).toEqual(['same-ingredient:X + Y'])
    expect(keys(['X', 'Y'], ['X'], ['Y'])).toEqual(['same-ingredient:X', 'same-ingredient:Y'])
    expect(keys(['X', 'WATER'], ['WATER'])).toEqual([])
  })
})
