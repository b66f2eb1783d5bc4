import type { ScreeningFacts, ClassFact } from '#domain/screening/facts.ts'
import { compareRoutes, reachOf } from '#domain/screening/routes.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { alertsOf, brief, itemOf, lineOf, medicationOf, noSource, x, y } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('routes', () => {
  const absorbed = ['nasal', 'inhalation', 'vaginal', 'dialysis']
  const surface = ['topical', 'ophthalmic', 'otic', 'dental', 'urethral', 'irrigation']
  test('routes reach the whole body, a part of it, or a surface', () => {
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

  test('a class is one alert for all its items, whatever their order', () => {
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

  test('a class without a name is identified by its codes, in their order', () => {
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
  ])('a class by a code of %s', (_, code, expected) => {
    expect(keys([x, y], [atc('X', code), atc('Y', code)])).toEqual(expected)
  })

  test('a class needs two ingredients of two items, neither in both', () => {
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

describe('a shared class', () => {
  const classes: ScreeningFacts['classes'] = [
    { ingredient: 'ATORVASTATIN', system: 'EPC', code: '', name: 'HMG-CoA Reductase Inhibitor' },
    { ingredient: 'SIMVASTATIN', system: 'EPC', code: '', name: 'HMG-CoA Reductase Inhibitor' },
    { ingredient: 'ATORVASTATIN', system: 'ATC', code: 'C10AA05', name: 'ATORVASTATIN' },
    { ingredient: 'SIMVASTATIN', system: 'ATC', code: 'C10AA01', name: 'SIMVASTATIN' },
    { ingredient: 'KETOCONAZOLE', system: 'ATC', code: 'D01AC08', name: 'KETOCONAZOLE' },
    { ingredient: 'ECONAZOLE', system: 'ATC', code: 'D01AC03', name: 'ECONAZOLE' },
  ]

  test('a shared class is one medium alert by EPC or ATC level 4', () => {
    const alerts = alertsOf(
      { lines: [lineOf(['ATORVASTATIN'])], medications: [medicationOf(['SIMVASTATIN'])] },
      { classes },
    )
    expect(brief(alerts)).toEqual(['medium same-class:ATORVASTATIN|SIMVASTATIN'])
    expect(alerts[0]).toMatchObject({
      detail: 'HMG-CoA Reductase Inhibitor',
      sources: [{ grade: 'HMG-CoA Reductase Inhibitor' }, { grade: 'ATC C10AA' }],
    })
  })

  test('a shared class does not count for other routes, codes of local use, or the same medicine', () => {
    const topical = lineOf(['ATORVASTATIN'], { route: 'topical' })
    expect(alertsOf({ lines: [topical], medications: [medicationOf(['SIMVASTATIN'])] }, { classes })).toEqual(
      [],
    )
    const azoles = [lineOf(['KETOCONAZOLE']), lineOf(['ECONAZOLE'])]
    expect(alertsOf({ lines: azoles }, { classes })).toEqual([])
    const both = ['ATORVASTATIN', 'SIMVASTATIN']
    expect(alertsOf({ lines: [lineOf(both)], medications: [medicationOf(both)] }, { classes })).toEqual([])
  })
})
