import { groupsMeantBy, ingredientsMeantBy } from '#domain/screening/allergen-groups.ts'
import { readCareLists, readIngredientNames } from '#tests/support/care-lists.ts'
import { alertsOf, brief, itemOf, lineOf, medicationOf, noSource, x, z } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

test.each([
  ['penicillin', ['penicillin']],
  ['beta-lactam', ['beta-lactam', 'penicillin', 'cephalosporin', 'carbapenem', 'monobactam']],
  ['nsaid-aspirin', ['nsaid-aspirin', 'nsaid', 'salicylate']],
  ['sulfonamide', ['sulfonamide', 'sulfonamide-antibacterial']],
  ['imidazole-azole', ['imidazole-azole', 'azole-antifungal', 'nitroimidazole']],
  ['hydantoin', ['hydantoin', 'hydantoin-aromatic-anticonvulsant']],
  ['carbamazepine-tricyclic', ['carbamazepine-tricyclic', 'tricyclic']],
])('a label that says %s means %j', (group, meant) => {
  expect(groupsMeantBy(group)).toEqual(meant)
})

test('every ingredient that a group names is in the lists', () => {
  const ingredients = new Set(readIngredientNames().map(({ ingredient }) => ingredient))
  const { allergyLabels } = readCareLists()
  const meant = [...new Set(allergyLabels.map(({ group }) => group))].flatMap((key) =>
    ingredientsMeantBy({ name: key, kind: 'group', key }),
  )
  expect(meant.length).toBeGreaterThan(10)
  expect(meant.filter((ingredient) => !ingredients.has(ingredient))).toEqual([])
})

describe('an allergy', () => {
  const allergyGroups = [
    { group: 'penicillin', ingredient: 'X' },
    { group: 'penicillin', ingredient: 'Y' },
    { group: 'cephalosporin', ingredient: 'Z' },
  ]
  const label = (ingredients: string, group: string) => ({
    ingredients,
    group,
    sentence: 'This medicine is contraindicated in patients who are allergic to it',
    setId: 's1',
    labelDate: '2024-01-01',
  })
  const toY = { name: 'Why', kind: 'ingredient', key: 'Y' } as const
  const toPenicillin = { name: 'Penicillin', kind: 'group', key: 'penicillin' } as const
  const toX = { name: 'Ex', kind: 'ingredient', key: 'X' } as const

  test('an allergy is one alert with everything that the lists say, once', () => {
    const twice = [x, { ...x, id: 'again', name: 'Again' }]
    const facts = {
      allergyGroups,
      allergyLabels: [label('X', 'penicillin'), label('X', 'penicillin'), label('X', 'beta-lactam')],
      listDates: {
        'ingredient-names': '2026-01-01',
        'allergy-groups': '2026-02-02',
        'allergy-label': '2026-03-03',
      },
    }
    const quoted = {
      ...noSource,
      list: 'allergy-label',
      listDate: '2026-03-03',
      labelOf: 'X',
      sentence: 'This medicine is contraindicated in patients who are allergic to it',
      setId: 's1',
      labelDate: '2024-01-01',
    }
    expect(alertsOf({ lines: twice, patient: { allergies: [toX] } }, facts)).toEqual([
      {
        key: 'allergy:X|X',
        kind: 'allergy',
        level: 'high',
        isFolded: false,
        audience: 'everyone',
        effect: null,
        first: { key: 'X', items: [itemOf('X'), { kind: 'line', id: 'again', name: 'Again' }] },
        second: { key: 'X', items: [{ kind: 'allergy', name: 'Ex' }] },
        detail: '',
        sources: [
          { ...noSource, list: 'ingredient-names', listDate: '2026-01-01' },
          { ...noSource, list: 'allergy-groups', listDate: '2026-02-02', grade: 'penicillin' },
          { ...quoted, grade: 'penicillin' },
          { ...quoted, grade: 'beta-lactam' },
        ],
      },
    ])
  })

  test('an allergy alert names its group, and a label its own', () => {
    const facts = { allergyGroups, allergyLabels: [label('W', 'penicillin')] }
    const [byGroup] = alertsOf({ lines: [x], patient: { allergies: [toY] } }, facts)
    expect([byGroup?.detail, byGroup?.sources.map(({ list, grade }) => [list, grade])]).toEqual([
      'penicillin',
      [['allergy-groups', 'penicillin']],
    ])
    const [byLabel] = alertsOf({ lines: [lineOf(['W'])], patient: { allergies: [toPenicillin] } }, facts)
    expect([byLabel?.level, byLabel?.detail]).toEqual(['medium', 'penicillin'])
  })

  test('an allergy ignores what the patient takes already, other groups, and text that no list knows', () => {
    const facts = { allergyGroups, allergyLabels: [label('W', 'sulfonamide'), label('X + V', 'penicillin')] }
    const allergies = [toPenicillin, { name: 'cats', kind: 'unrecognized', key: 'X' } as const]
    const medications = [medicationOf(['X'])]
    expect(alertsOf({ lines: [lineOf(['W']), z], patient: { allergies, medications } }, facts)).toEqual([])
    // A group of the same name as an ingredient is none.
    expect(
      alertsOf({ lines: [x], patient: { allergies: [{ name: 'X', kind: 'group', key: 'X' }] } }, {}),
    ).toEqual([])
    // A label of a set concerns only lines with all of it.
    expect(alertsOf({ lines: [lineOf(['V'])], patient: { allergies } }, facts)).toEqual([])
  })

  test('an allergy alert joins the label of a set to the ingredient that was found', () => {
    const facts = { allergyGroups, allergyLabels: [label('V + X', 'penicillin')] }
    const alerts = alertsOf({ lines: [lineOf(['V', 'X'])], patient: { allergies: [toPenicillin] } }, facts)
    expect(alerts.map(({ key, level, sources }) => [key, level, sources.length])).toEqual([
      ['allergy:X|penicillin', 'high', 2],
    ])
    const [alone] = alertsOf(
      { lines: [lineOf(['V', 'X'])], patient: { allergies: [toPenicillin] } },
      { allergyLabels: facts.allergyLabels },
    )
    expect([alone?.key, alone?.level]).toEqual(['allergy:V + X|penicillin', 'medium'])
  })
})

describe('allergies', () => {
  const allergyGroups = [
    { group: 'penicillin', ingredient: 'AMOXICILLIN' },
    { group: 'penicillin', ingredient: 'AMPICILLIN' },
  ]
  const allergyLabels = [
    {
      ingredients: 'CEFAZOLIN',
      group: 'beta-lactam',
      sentence:
        'Cefazolin is contraindicated in patients who are allergic to penicillins or other beta-lactams.',
      setId: 'c1',
      labelDate: '2024-01-01',
    },
  ]
  const toPenicillin = { name: 'Penicillin', kind: 'group', key: 'penicillin' } as const
  const toIngredient = (key: string) => ({ name: key, kind: 'ingredient', key }) as const

  test.each([
    ['the ingredient', 'AMOXICILLIN', toIngredient('AMOXICILLIN'), 'high allergy:AMOXICILLIN|AMOXICILLIN'],
    ['the group', 'AMOXICILLIN', toPenicillin, 'high allergy:AMOXICILLIN|penicillin'],
    [
      'a wider group',
      'AMOXICILLIN',
      { name: 'Beta-lactams', kind: 'group', key: 'beta-lactam' } as const,
      'high allergy:AMOXICILLIN|beta-lactam',
    ],
    [
      'another ingredient of the group',
      'AMOXICILLIN',
      toIngredient('AMPICILLIN'),
      'high allergy:AMOXICILLIN|AMPICILLIN',
    ],
    [
      'a group with the name of the ingredient',
      'BENZYL ALCOHOL',
      { name: 'Benzyl alcohol', kind: 'group', key: 'benzyl-alcohol' } as const,
      'high allergy:BENZYL ALCOHOL|benzyl-alcohol',
    ],
    [
      'a group whose name an ingredient has',
      'POLYETHYLENE GLYCOL 3350',
      { name: 'PEG', kind: 'group', key: 'polyethylene-glycol' } as const,
      'high allergy:POLYETHYLENE GLYCOL 3350|polyethylene-glycol',
    ],
    ['a group that a label means', 'CEFAZOLIN', toPenicillin, 'medium allergy:CEFAZOLIN|penicillin'],
    [
      'an ingredient that a label means',
      'CEFAZOLIN',
      toIngredient('AMPICILLIN'),
      'medium allergy:CEFAZOLIN|AMPICILLIN',
    ],
  ])('an allergy to %s', (_, ingredient, allergy, expected) => {
    const lines = [lineOf([ingredient], { route: 'ophthalmic' })]
    const facts = { allergyGroups, allergyLabels }
    expect(brief(alertsOf({ lines, patient: { allergies: [allergy] } }, facts))).toEqual([expected])
    expect(alertsOf({ lines: [lineOf(['LISINOPRIL'])], patient: { allergies: [allergy] } }, facts)).toEqual(
      [],
    )
  })
})
