import { groupsMeantBy } from '#domain/screening/allergen-groups.ts'
import { alertLevels, needsDecision, type Alert } from '#domain/screening/alert.ts'
import { findShortage } from '#domain/screening/check-supply.ts'
import { currentFills } from '#domain/screening/dispensed.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import type {
  BoxedWarningFact,
  ClassFact,
  InteractionFact,
  LabelSafetyFact,
  RecallFact,
  ScreeningFacts,
  ShortageFact,
} from '#domain/screening/facts.ts'
import { graver, levelRank, orderAlerts } from '#domain/screening/order-alerts.ts'
import { isOngoing, judgeRecall, judgeUnits } from '#domain/screening/recall-outcome.ts'
import { compareRoutes, reachOf } from '#domain/screening/routes.ts'
import { isTurnedDown, type ScreeningRule } from '#domain/screening/rules.ts'
import { screen, type ScreeningInput } from '#domain/screening/screen.ts'
import { itemsWith, toScreenedCase } from '#domain/screening/screened-case.ts'
import { factsWith, lineOf, medicationOf, patientWith } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

const today = '2026-11-22'
const alertsOf = (
  {
    patient = {},
    ...input
  }: Partial<Omit<ScreeningInput, 'patient'>> & { patient?: Parameters<typeof patientWith>[0] },
  facts: Partial<ScreeningFacts>,
): readonly Alert[] =>
  screen({ lines: [], today, ...input, patient: patientWith(patient) }, factsWith(facts)).alerts

const noSource = {
  listDate: null,
  grade: '',
  labelOf: null,
  className: null,
  sentence: null,
  setId: null,
  labelDate: null,
  rowKey: null,
}
const [x, y, z] = ['X', 'Y', 'Z'].map((name) => lineOf([name], { name: `Line ${name}` })) as [
  ReturnType<typeof lineOf>,
  ReturnType<typeof lineOf>,
  ReturnType<typeof lineOf>,
]
const itemOf = (name: string) => ({ kind: 'line', id: name, name: `Line ${name}` })

describe('order', () => {
  test('goes from the gravest level', () => {
    expect(alertLevels.map(levelRank)).toEqual([0, 1, 2, 3])
    expect([graver('low', 'medium'), graver('medium', 'low'), graver('low', 'low')]).toEqual([
      'medium',
      'medium',
      'low',
    ])
    expect(alertLevels.filter((level) => needsDecision({ level }))).toEqual(['high'])
  })

  const alert = (key: string, changes: Partial<Alert> = {}): Alert => ({
    key,
    kind: 'interaction',
    level: 'high',
    isFolded: false,
    audience: 'everyone',
    effect: null,
    first: { key, items: [] },
    second: null,
    detail: '',
    sources: [],
    ...changes,
  })
  const orderOf = (...alerts: Alert[]): string[] =>
    orderAlerts(alerts).map(({ key, isFolded }) => (isFolded ? `(${key})` : key))

  test('goes by level, effect, kind and key', () => {
    const last = alert('level', { level: 'medium', effect: 'block', kind: 'recall' })
    const blocks = alert('blocks', { effect: 'block', kind: 'shortage' })
    const checks = alert('checks', { effect: 'check-pack', kind: 'dose' })
    const recall = alert('z recall', { kind: 'recall' })
    const [a, b] = [alert('a'), alert('b')]
    expect(orderOf(last, b, a, recall, checks, blocks)).toEqual([
      'blocks',
      'checks',
      'z recall',
      '(a)',
      '(b)',
      '(level)',
    ])
    expect(orderOf(blocks, checks, recall, a, b, last)).toEqual([
      'blocks',
      'checks',
      'z recall',
      '(a)',
      '(b)',
      '(level)',
    ])
  })

  test('does not count what is folded already', () => {
    const folded = alert('0', { isFolded: true })
    expect(orderOf(folded, alert('1'), alert('2'), alert('3'), alert('4'))).toEqual([
      '(0)',
      '1',
      '2',
      '3',
      '(4)',
    ])
  })
})

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

  test('stays information, and a figure without a source stays as it is', () => {
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
  test('numbers the lines and then what the patient takes', () => {
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
  ])('has the items with %s', (subject, indexes) => {
    expect(itemsWith(screened, subject).map(({ index }) => index)).toEqual(indexes)
  })
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

  test('is one alert with everything that the lists say, once', () => {
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

  test('names its group, and a label its own', () => {
    const facts = { allergyGroups, allergyLabels: [label('W', 'penicillin')] }
    const [byGroup] = alertsOf({ lines: [x], patient: { allergies: [toY] } }, facts)
    expect([byGroup?.detail, byGroup?.sources.map(({ list, grade }) => [list, grade])]).toEqual([
      'penicillin',
      [['allergy-groups', 'penicillin']],
    ])
    const [byLabel] = alertsOf({ lines: [lineOf(['W'])], patient: { allergies: [toPenicillin] } }, facts)
    expect([byLabel?.level, byLabel?.detail]).toEqual(['medium', 'penicillin'])
  })

  test('does not concern what the patient takes already, another group, or text that no list knows', () => {
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

  test('joins the label of a set to the ingredient that was found', () => {
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

describe('an interaction', () => {
  const pair = (
    subject: string,
    object: string,
    changes: Partial<InteractionFact> = {},
  ): InteractionFact => ({
    id: `${subject}>${object}`,
    list: 'interactions-label',
    subject,
    object,
    objectKind: 'ingredient',
    level: 'interaction',
    sentence: null,
    setId: null,
    labelDate: null,
    ...changes,
  })

  test('is an alert with its sources by level, list and label', () => {
    const interactions = [
      pair('Y', 'X'),
      pair('X', 'Y'),
      pair('X', 'Y', { id: 'ndfrt', list: 'interactions-ndfrt', level: 'significant' }),
      pair('Y', 'X', { id: 'boxed', level: 'boxed', setId: 's1', labelDate: '2024-01-01' }),
    ]
    const source = { ...noSource, list: 'interactions-label', grade: 'Drug interactions' }
    const expected = [
      {
        ...source,
        grade: 'Boxed warning',
        labelOf: 'Y',
        rowKey: 'boxed',
        setId: 's1',
        labelDate: '2024-01-01',
      },
      {
        ...noSource,
        list: 'interactions-ndfrt',
        listDate: '2014-07-07',
        grade: 'Significant',
        rowKey: 'ndfrt',
      },
      { ...source, labelOf: 'Y', rowKey: 'Y>X' },
      { ...source, labelOf: 'X', rowKey: 'X>Y' },
    ]
    for (const rows of [interactions, interactions.toReversed()]) {
      expect(
        alertsOf(
          { lines: [x, y] },
          { interactions: rows, listDates: { 'interactions-ndfrt': '2014-07-07' } },
        ),
      ).toEqual([
        {
          key: 'interaction:X|Y',
          kind: 'interaction',
          level: 'high',
          isFolded: false,
          audience: 'everyone',
          effect: null,
          first: { key: 'X', items: [itemOf('X')] },
          second: { key: 'Y', items: [itemOf('Y')] },
          detail: '',
          sources: expected,
        },
      ])
    }
  })

  test('keeps rows of the same list and label in their order', () => {
    const interactions = [pair('X', 'Y', { id: '1' }), pair('X', 'Y', { id: '2' })]
    expect(alertsOf({ lines: [x, y] }, { interactions })[0]?.sources.map(({ rowKey }) => rowKey)).toEqual([
      '1',
      '2',
    ])
  })

  test('by class needs a member in the case that is no part of the subject', () => {
    const interactions = [pair('X', 'Class', { objectKind: 'class', level: 'boxed' })]
    const members = (...names: string[]) => names.map((ingredient) => ({ className: 'Class', ingredient }))
    const keys = (classMembers: ReturnType<typeof members>, lines = [x, y]) =>
      alertsOf({ lines }, { interactions, classMembers }).map(({ level, key }) => `${level} ${key}`)
    expect(keys(members('Y'))).toEqual(['low interaction:X|Y'])
    expect(keys(members('Z'))).toEqual([])
    expect(keys([])).toEqual([])
    expect(keys(members('Y', 'Z'), [x, y, z])).toEqual(['low interaction:X|Y', 'low interaction:X|Z'])
    // A class that has the subject itself.
    expect(keys(members('X'), [x, lineOf(['X', 'Y'])]).filter((key) => key.includes('interaction'))).toEqual(
      [],
    )
    const ofSet = {
      interactions: [pair('X + Y', 'Class', { objectKind: 'class' })],
      classMembers: members('Y'),
    }
    const both = [lineOf(['X', 'Y']), lineOf(['Y', 'Z'])]
    expect(alertsOf({ lines: both }, ofSet).filter(({ kind }) => kind === 'interaction')).toEqual([])
  })

  test('of an ingredient with itself is none', () => {
    const lines = [x, lineOf(['X', 'Y'])]
    const alerts = alertsOf({ lines }, { interactions: [pair('X', 'X')] })
    expect(alerts.filter(({ kind }) => kind === 'interaction')).toEqual([])
  })

  test.each([
    [x, { ...y, route: 'topical' }, 'boxed', 'medium'],
    [{ ...x, route: 'otic' }, y, 'boxed', 'medium'],
    [x, y, 'boxed', 'high'],
    [x, { ...y, route: 'nasal' }, 'boxed', 'high'],
    [x, { ...y, route: 'topical' }, 'interaction', 'medium'],
  ] as const)('has its level by the routes: %#', (one, other, listed, level) => {
    expect(
      alertsOf({ lines: [one, other] }, { interactions: [pair('X', 'Y', { level: listed })] })[0]?.level,
    ).toBe(level)
  })
})

describe('labels', () => {
  const label = (changes: Partial<LabelSafetyFact> = {}): LabelSafetyFact => ({
    ingredients: 'X',
    boxedWarning: null,
    pregnancyContraindicated: null,
    pregnancyBoxed: null,
    ageWarning: null,
    elderlyWarning: null,
    hasRems: false,
    hasMedicationGuide: false,
    setId: 's1',
    labelDate: '2024-01-01',
    ...changes,
  })
  const pregnancy = 'Testolol can cause fetal harm when it is given to a pregnant woman'
  const listDates = { 'label-safety': '2026-01-01', 'boxed-warnings': '2026-02-02' }
  const source = {
    ...noSource,
    list: 'label-safety',
    listDate: '2026-01-01',
    labelOf: 'X',
    setId: 's1',
    labelDate: '2024-01-01',
  }

  test('warn a pregnant patient in one alert with both places', () => {
    const labelSafety = [label({ pregnancyContraindicated: pregnancy, pregnancyBoxed: 'Cut off in the' })]
    expect(alertsOf({ lines: [x], patient: { pregnant: true } }, { labelSafety, listDates })).toEqual([
      {
        key: 'pregnancy:X',
        kind: 'pregnancy',
        level: 'high',
        isFolded: false,
        audience: 'everyone',
        effect: null,
        first: { key: 'X', items: [itemOf('X')] },
        second: { key: '', items: [{ kind: 'patient', name: 'pregnant' }] },
        detail: '',
        sources: [
          { ...source, grade: 'Contraindications', sentence: pregnancy },
          { ...source, grade: 'Boxed warning' },
        ],
      },
    ])
  })

  test('of two lines with the ingredient are one alert with one source', () => {
    const lines = [x, { ...lineOf(['X', 'Y']), name: 'Line X + Y' }]
    const [alert, ...others] = alertsOf(
      { lines },
      { labelSafety: [label({ hasRems: true })], listDates },
    ).filter(({ kind }) => kind === 'rems')
    expect(others).toEqual([])
    expect(alert).toEqual({
      key: 'rems:X',
      kind: 'rems',
      level: 'information',
      isFolded: false,
      audience: 'everyone',
      effect: null,
      first: { key: 'X', items: [itemOf('X'), { kind: 'line', id: 'X,Y', name: 'Line X + Y' }] },
      second: null,
      detail: '',
      sources: [{ ...source, grade: 'REMS' }],
    })
    expect(
      alertsOf(
        { patient: { medications: [medicationOf(['X'])] } },
        { labelSafety: [label({ hasRems: true })] },
      ),
    ).toEqual([])
  })

  test('of the whole set go before those of its ingredients', () => {
    const line = lineOf(['X', 'Y'])
    const all = [label(), label({ ingredients: 'Y' }), label({ ingredients: 'X + Y' })].map((one) => ({
      ...one,
      hasMedicationGuide: true,
    }))
    const keys = (labelSafety: LabelSafetyFact[]) =>
      alertsOf({ lines: [line] }, { labelSafety }).map(({ key }) => key)
    expect(keys(all)).toEqual(['medication-guide:X + Y'])
    expect(keys(all.slice(0, 2))).toEqual(['medication-guide:X', 'medication-guide:Y'])
    expect(keys([])).toEqual([])
  })

  const gradesOf = (labelSafety: LabelSafetyFact[], boxedWarnings: BoxedWarningFact[], line = x) =>
    alertsOf({ lines: [line] }, { labelSafety, boxedWarnings, listDates }).map(({ key, sources }) => [
      key,
      ...sources.map(({ list, grade, sentence }) => [list, grade, sentence]),
    ])
  test('name where each warning stands', () => {
    const everything = label({ boxedWarning: 'WARNING', hasRems: true, hasMedicationGuide: true })
    expect(gradesOf([everything], [])).toEqual([
      ['boxed-warning:X', ['label-safety', 'Boxed warning', 'WARNING']],
      ['rems:X', ['label-safety', 'REMS', null]],
      ['medication-guide:X', ['label-safety', 'Medication Guide', null]],
    ])
    // What the applications' labels say goes before, also that they have none.
    expect(gradesOf([label({ boxedWarning: 'WARNING' })], [{ key: 'X', warning: 'BOX' }])).toEqual([
      ['boxed-warning:X', ['boxed-warnings', '', 'BOX']],
    ])
    expect(gradesOf([label({ boxedWarning: 'WARNING' })], [{ key: 'X', warning: null }])).toEqual([])
    const own = { ...x, applicationNumber: 'NDA1' }
    expect(
      gradesOf(
        [],
        [
          { key: 'NDA1', warning: 'OWN' },
          { key: 'X', warning: 'BOX' },
        ],
        own,
      ),
    ).toEqual([['boxed-warning:X', ['boxed-warnings', '', 'OWN']]])
  })

  const child = 'Testolol should not be used in children under 2 years of age'
  const older = 'Elderly patients are at greater risk for serious gastrointestinal events'
  test.each<[string, Partial<LabelSafetyFact>, string | null, [string, string | undefined][]]>([
    ['a child', { ageWarning: child }, '2025-05-22', [['high age:X', '18 months old']]],
    ['a child of nearly two', { ageWarning: child }, '2024-11-23', [['high age:X', '23 months old']]],
    ['a child of two', { ageWarning: 'under 6 years' }, '2024-11-22', [['high age:X', '2 years old']]],
    ['a child of unknown age', { ageWarning: child }, null, [['information age:X', undefined]]],
    ['an adult', { ageWarning: child }, '1990-01-01', []],
    ['an older adult', { elderlyWarning: older }, '1961-11-22', [['high age:X 65+', '65 years old']]],
    ['an adult of nearly 65', { elderlyWarning: older }, '1961-11-23', []],
    [
      'an older adult with a diagnosis',
      { elderlyWarning: 'Elderly patients with dementia' },
      '1950-01-01',
      [['information age:X 65+', undefined]],
    ],
    ['an adult of unknown age', { elderlyWarning: older }, null, [['information age:X 65+', undefined]]],
  ])('warn %s', (_, changes, birthDate, expected) => {
    const alerts = alertsOf({ lines: [x], patient: { birthDate } }, { labelSafety: [label(changes)] })
    expect(alerts.map(({ level, key, second }) => [`${level} ${key}`, second?.items[0]?.name])).toEqual(
      expected,
    )
    for (const { sources } of alerts)
      expect(sources.map(({ grade }) => grade)).toEqual([
        'ageWarning' in changes ? 'Children' : 'Older adults',
      ])
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

describe('supply', () => {
  const recall: RecallFact = {
    list: 'recalls',
    number: 'D-1',
    class: 'II',
    status: 'Ongoing',
    reason: 'Failed dissolution',
    date: '2023-06-21',
    ndc: '1-2-3',
    isForAllLots: false,
    hasLots: true,
    lots: ['A1'],
  }
  test('a recall blocks the stock of its package', () => {
    const line = { ...x, ndc: '1-2-3', lots: ['A1'], variantId: 'variant' }
    const others = [x, { ...x, ndc: '1-2-4' }]
    expect(
      alertsOf(
        { lines: [line, ...others] },
        { recalls: [recall], listDates: { recalls: '2026-01-01' } },
      ).filter(({ kind }) => kind === 'recall'),
    ).toEqual([
      {
        key: 'recall:D-1:variant',
        kind: 'recall',
        level: 'high',
        effect: 'block',
        isFolded: false,
        audience: 'staff',
        first: { key: 'X', items: [itemOf('X')] },
        second: null,
        detail: 'Failed dissolution',
        sources: [
          {
            ...noSource,
            list: 'recalls',
            listDate: '2026-01-01',
            grade: 'Class II, ongoing, D-1',
            labelDate: '2023-06-21',
          },
        ],
      },
    ])
  })

  const block = { level: 'high', effect: 'block' }
  const look = { level: 'medium', effect: 'check-pack' }
  test('stock without a lot is not known, and one of several lots is enough', () => {
    expect(judgeRecall(recall, [])).toEqual(look)
    expect(judgeRecall(recall, ['B2', 'a-1'])).toEqual(block)
    expect(judgeRecall(recall, ['B2'])).toBeNull()
    expect([isOngoing('ONGOING'), isOngoing('Completed')]).toEqual([true, false])
  })

  const lot = (lotNumber: string, quantity: number) => ({ lotNumber, quantity })
  test.each([
    ['all units in other lots', [lot('B2', 2), lot('C3', 1)], 3, null],
    ['more in other lots than needed', [lot('B2', 4)], 3, null],
    ['a unit in no lot', [lot('B2', 2)], 3, look],
    ['no lot', [], 3, look],
    ['no unit and no lot', [], 0, look],
    ['a recalled lot among them', [lot('B2', 1), lot('A1', 1)], 3, block],
    ['only the recalled lot', [lot('A1', 3)], 3, block],
  ])('a line with %s', (_, lots, quantity, outcome) => {
    expect(judgeUnits(recall, { lots, quantity })).toEqual(outcome)
  })

  const shortage = (changes: Partial<ShortageFact>): ShortageFact => ({
    ndc: null,
    ingredients: 'X',
    status: 'Current',
    reason: 'Demand',
    date: '2026-01-02',
    ...changes,
  })
  test('a shortage is one alert of all lines with the ingredients', () => {
    const lines = [x, { ...x, id: 'again', name: 'Again' }, lineOf([], { name: 'None' })]
    const facts = { shortages: [shortage({})], listDates: { shortages: '2026-02-02' } }
    expect(
      alertsOf({ lines, patient: { medications: [medicationOf(['X'])] } }, facts).filter(
        ({ kind }) => kind === 'shortage',
      ),
    ).toEqual([
      {
        key: 'shortage:X',
        kind: 'shortage',
        level: 'information',
        isFolded: false,
        audience: 'staff',
        effect: null,
        first: { key: 'X', items: [itemOf('X'), { kind: 'line', id: 'again', name: 'Again' }] },
        second: null,
        detail: 'Demand',
        sources: [
          {
            ...noSource,
            list: 'shortages',
            listDate: '2026-02-02',
            grade: 'Current',
            labelDate: '2026-01-02',
          },
        ],
      },
    ])
    expect(alertsOf({ lines: [x] }, { shortages: [shortage({ reason: null })] })[0]?.detail).toBe('')
  })

  test('a shortage of the package goes before one of the ingredients', () => {
    const line = { ndc: '1-2-3', ingredients: ['X'] }
    const ofPackage = shortage({ ndc: '1-2-3', ingredients: 'OTHER' })
    const ofIngredients = shortage({})
    expect(findShortage(line, [ofIngredients, ofPackage])).toBe(ofPackage)
    expect(findShortage(line, [ofIngredients])).toBe(ofIngredients)
    expect(findShortage(line, [shortage({ status: 'Resolved' })])).toBeNull()
    expect(findShortage(line, [shortage({ ndc: '1-2-4', ingredients: 'OTHER' })])).toBeNull()
    // Without a package, a shortage by ingredients is not one of the package.
    expect(findShortage({ ndc: null, ingredients: ['Y'] }, [shortage({})])).toBeNull()
    expect(
      findShortage({ ...line, ingredients: ['Y', 'X'] }, [shortage({ ingredients: 'X + Y' })]),
    ).not.toBeNull()
  })
})

describe('the dose a day', () => {
  const fill = { units: 90, unit: 'tablet', daysSupply: 30 }
  const doses = (strength: string, changes: Partial<typeof fill> = {}, itemId: string | null = null) =>
    alertsOf({ lines: [{ ...x, strength, itemId, fill: { ...fill, ...changes } }] }, {})
  test('is information for staff about the prescription item', () => {
    expect(doses('20 mg', {}, 'item')).toEqual([
      {
        key: 'dose:item',
        kind: 'dose',
        level: 'information',
        isFolded: false,
        audience: 'staff',
        effect: null,
        first: { key: 'X', items: [itemOf('X')] },
        second: null,
        detail: '60 mg a day: 90 × 20 mg in 30 days',
        sources: [],
      },
    ])
    expect(doses('20 mg')[0]?.key).toBe('dose:X')
  })

  test.each([
    ['1,000 mg', {}, '3,000 mg a day: 90 × 1,000 mg in 30 days'],
    ['12.5 mcg', {}, '37.5 mcg a day: 90 × 12.5 mcg in 30 days'],
    ['1 G', {}, '3 G a day: 90 × 1 G in 30 days'],
    ['100 units/mL', { unit: 'mL', units: 10 }, '33.3333 units a day: 10 × 100 units/mL in 30 days'],
    ['250 mg/5 mL', { unit: 'mL', units: 150 }, '250 mg a day: 150 × 250 mg/5 mL in 30 days'],
    ['250 mg/2.5 mL', { unit: 'mL', units: 150 }, '500 mg a day: 150 × 250 mg/2.5 mL in 30 days'],
    ['5 mg/10.5 mL', { unit: 'mL', units: 315 }, '5 mg a day: 315 × 5 mg/10.5 mL in 30 days'],
    ['2 mg/dose', { unit: 'dose' }, '6 mg a day: 90 × 2 mg/dose in 30 days'],
    ['', {}, '3 tablet a day: 90 × tablet in 30 days'],
    ['10 mg / 20 mg', {}, '3 tablet a day: 90 × 10 mg / 20 mg in 30 days'],
    ['about 10 mg', {}, '3 tablet a day: 90 × about 10 mg in 30 days'],
    ['10 mg/mL/h', {}, '3 tablet a day: 90 × 10 mg/mL/h in 30 days'],
    ['20 mg', { units: 100_000, daysSupply: 7 }, '285,714 mg a day: 100,000 × 20 mg in 7 days'],
    ['20 mg', { unit: 'pack' }, undefined],
    ['20 mg', { units: 0 }, undefined],
    ['20 mg', { daysSupply: 0 }, undefined],
  ])('of %s, %j', (strength, changes, detail) => {
    expect(doses(strength, changes)[0]?.detail).toBe(detail)
  })

  test('is not known without a fill, and is not computed for what the patient takes', () => {
    expect(
      alertsOf({ lines: [{ ...x, strength: '20 mg' }], patient: { medications: [medicationOf(['Y'])] } }, {}),
    ).toEqual([])
  })
})

test('a fill counts for its days and 30 more', () => {
  const fill = (dispensedOn: string, daysSupply: number) => ({
    name: 'X',
    itemId: '1',
    ingredients: 'X',
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
