import { concernsAge, concernsElderly } from '#domain/screening/age.ts'
import { dailyMedUrl, type Alert } from '#domain/screening/alert.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import type { InteractionFact, LabelSafetyFact, RecallFact, ScreeningFacts } from '#domain/screening/facts.ts'
import type { ScreenedLine } from '#domain/screening/line.ts'
import type { ScreenedMedication, ScreenedPatient } from '#domain/screening/patient.ts'
import { quoteSentence } from '#domain/screening/quote.ts'
import { screen, type ScreeningInput } from '#domain/screening/screen.ts'
import { factsWith, lineOf, medicationOf, pairOf, patientWith } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

const alertsOf = (
  input: {
    lines?: readonly ScreenedLine[]
    medications?: readonly ScreenedMedication[]
    patient?: Partial<ScreenedPatient>
    turnedDown?: ScreeningInput['turnedDown']
  },
  facts: Partial<ScreeningFacts>,
): readonly Alert[] =>
  screen(
    {
      lines: input.lines ?? [],
      patient: patientWith({ medications: input.medications ?? [], ...input.patient }),
      today: '2026-11-22',
      turnedDown: input.turnedDown,
    },
    factsWith(facts),
  ).alerts

/** "high interaction:A|B" of each alert, folded ones in parentheses. */
const brief = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ level, key, isFolded }) => (isFolded ? `(${level} ${key})` : `${level} ${key}`))

describe('interactions', () => {
  const graded = (level: 'critical' | 'significant'): InteractionFact =>
    pairOf('IBUPROFEN', 'WARFARIN', { list: 'interactions-ndfrt', level })

  test.each([
    ['critical in NDF-RT', graded('critical'), 'high'],
    ['significant in NDF-RT', graded('significant'), 'medium'],
    ['contraindicated in a label', pairOf('WARFARIN', 'IBUPROFEN', { level: 'contraindicated' }), 'high'],
    ['in a boxed warning', pairOf('WARFARIN', 'IBUPROFEN', { level: 'boxed' }), 'high'],
    ['in section 7 of a label', pairOf('WARFARIN', 'IBUPROFEN'), 'medium'],
  ] as const)('has the level of a pair that is %s', (_, fact, level) => {
    const facts = { interactions: [fact] }
    const expected = [`${level} interaction:IBUPROFEN|WARFARIN`]
    const [ibuprofen, warfarin] = [lineOf(['IBUPROFEN']), lineOf(['WARFARIN'])]
    expect(brief(alertsOf({ lines: [ibuprofen], medications: [medicationOf(['WARFARIN'])] }, facts))).toEqual(
      expected,
    )
    expect(brief(alertsOf({ lines: [warfarin], medications: [medicationOf(['IBUPROFEN'])] }, facts))).toEqual(
      expected,
    )
    expect(brief(alertsOf({ lines: [warfarin, ibuprofen] }, facts))).toEqual(expected)
    const bothTaken = [medicationOf(['WARFARIN']), medicationOf(['IBUPROFEN'])]
    expect(alertsOf({ lines: [lineOf(['LISINOPRIL'])], medications: bothTaken }, facts)).toEqual([])
  })

  test('names the things of each side, and every list that has the pair, gravest first', () => {
    const label = pairOf('WARFARIN', 'IBUPROFEN', {
      sentence: 'Ibuprofen may increase the risk of bleeding in patients who take warfarin',
      setId: 'b1a2',
      labelDate: '2023-05-01',
    })
    const [alert, ...others] = alertsOf(
      {
        lines: [lineOf(['IBUPROFEN'], { id: '1', name: 'Advil' })],
        medications: [medicationOf(['WARFARIN'], { name: 'Coumadin' })],
      },
      { interactions: [label, graded('critical')], listDates: { 'interactions-ndfrt': '2014-07-07' } },
    )
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      level: 'high',
      first: { key: 'IBUPROFEN', items: [{ kind: 'line', id: '1', name: 'Advil' }] },
      second: { key: 'WARFARIN', items: [{ kind: 'listed', name: 'Coumadin' }] },
      sources: [
        {
          list: 'interactions-ndfrt',
          listDate: '2014-07-07',
          grade: 'Critical',
          labelOf: null,
          sentence: null,
        },
        {
          list: 'interactions-label',
          grade: 'Drug interactions',
          labelOf: 'WARFARIN',
          sentence: label.sentence,
          setId: 'b1a2',
        },
      ],
    })
    expect(dailyMedUrl('b1a2')).toBe('https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=b1a2')
  })

  test('are low and folded by class only, and join the named pair', () => {
    const byClass = pairOf('WARFARIN', 'NSAIDs', { objectKind: 'class', level: 'contraindicated' })
    const classMembers = ['IBUPROFEN', 'NAPROXEN'].map((ingredient) => ({ className: 'NSAIDs', ingredient }))
    const input = { lines: [lineOf(['WARFARIN'])], medications: [medicationOf(['IBUPROFEN'])] }
    const [alert] = alertsOf(input, { interactions: [byClass], classMembers })
    expect(alert).toMatchObject({ level: 'low', isFolded: true, sources: [{ className: 'NSAIDs' }] })
    const [named, ...others] = alertsOf(input, {
      interactions: [byClass, graded('significant')],
      classMembers,
    })
    expect(others).toEqual([])
    expect(named).toMatchObject({
      level: 'medium',
      isFolded: false,
      sources: [{ className: null }, { className: 'NSAIDs' }],
    })
  })

  test('finds the pair of a combination only where one product has all of it', () => {
    const facts = {
      interactions: [pairOf('ABACAVIR + LAMIVUDINE', 'METHADONE', { level: 'contraindicated' })],
    }
    const methadone = [medicationOf(['METHADONE'])]
    const combination = lineOf(['ABACAVIR', 'LAMIVUDINE', 'ZIDOVUDINE'])
    expect(brief(alertsOf({ lines: [combination], medications: methadone }, facts))).toEqual([
      'high interaction:ABACAVIR + LAMIVUDINE|METHADONE',
    ])
    const apart = [lineOf(['ABACAVIR']), lineOf(['LAMIVUDINE'])]
    expect(alertsOf({ lines: apart, medications: methadone }, facts)).toEqual([])
    const withSingle = { interactions: [...facts.interactions, pairOf('METHADONE', 'ABACAVIR')] }
    expect(brief(alertsOf({ lines: [combination], medications: methadone }, withSingle))).toEqual([
      'high interaction:ABACAVIR|METHADONE',
    ])
  })

  test('are at most medium with what is only applied to the skin or the eye', () => {
    const topical = lineOf(['IBUPROFEN'], { route: 'topical' })
    const medications = [medicationOf(['WARFARIN'])]
    const facts = { interactions: [graded('critical')] }
    expect(brief(alertsOf({ lines: [topical], medications }, facts))).toEqual([
      'medium interaction:IBUPROFEN|WARFARIN',
    ])
    const both = [topical, lineOf(['IBUPROFEN'], { id: '2', variantId: '2' })]
    expect(brief(alertsOf({ lines: both, medications }, facts))).toEqual([
      'high interaction:IBUPROFEN|WARFARIN',
    ])
  })

  test('are not told of the parts of one medicine', () => {
    const facts = { interactions: [pairOf('HYDROCHLOROTHIAZIDE', 'LISINOPRIL')] }
    const both = ['HYDROCHLOROTHIAZIDE', 'LISINOPRIL']
    expect(alertsOf({ lines: [lineOf(both)], medications: [medicationOf(both)] }, facts)).toEqual([])
  })
})

describe('the same ingredient', () => {
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

describe('the same class', () => {
  const classes: ScreeningFacts['classes'] = [
    { ingredient: 'ATORVASTATIN', system: 'EPC', code: '', name: 'HMG-CoA Reductase Inhibitor' },
    { ingredient: 'SIMVASTATIN', system: 'EPC', code: '', name: 'HMG-CoA Reductase Inhibitor' },
    { ingredient: 'ATORVASTATIN', system: 'ATC', code: 'C10AA05', name: 'ATORVASTATIN' },
    { ingredient: 'SIMVASTATIN', system: 'ATC', code: 'C10AA01', name: 'SIMVASTATIN' },
    { ingredient: 'KETOCONAZOLE', system: 'ATC', code: 'D01AC08', name: 'KETOCONAZOLE' },
    { ingredient: 'ECONAZOLE', system: 'ATC', code: 'D01AC03', name: 'ECONAZOLE' },
  ]

  test('is one medium alert by EPC or ATC level 4', () => {
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

  test('does not count for other routes, codes of local use, or the same medicine', () => {
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
    ['a group that a label means', 'CEFAZOLIN', toPenicillin, 'medium allergy:CEFAZOLIN|penicillin'],
    [
      'an ingredient that a label means',
      'CEFAZOLIN',
      toIngredient('AMPICILLIN'),
      'medium allergy:CEFAZOLIN|AMPICILLIN',
    ],
  ])('to %s', (_, ingredient, allergy, expected) => {
    const lines = [lineOf([ingredient], { route: 'ophthalmic' })]
    const facts = { allergyGroups, allergyLabels }
    expect(brief(alertsOf({ lines, patient: { allergies: [allergy] } }, facts))).toEqual([expected])
    expect(alertsOf({ lines: [lineOf(['LISINOPRIL'])], patient: { allergies: [allergy] } }, facts)).toEqual(
      [],
    )
  })
})

describe('labels', () => {
  const label: LabelSafetyFact = {
    ingredients: 'TESTOLOL',
    boxedWarning: null,
    pregnancyContraindicated: null,
    pregnancyBoxed: null,
    ageWarning: null,
    elderlyWarning: null,
    hasRems: false,
    hasMedicationGuide: false,
    setId: 's1',
    labelDate: '2024-01-01',
  }
  const levels = (changes: Partial<LabelSafetyFact>, patient: Partial<ScreenedPatient> = {}): string[] =>
    brief(alertsOf({ lines: [lineOf(['TESTOLOL'])], patient }, { labelSafety: [{ ...label, ...changes }] }))

  test('inform of boxed warnings, REMS and Medication Guides', () => {
    expect(levels({ boxedWarning: 'WARNING', hasRems: true, hasMedicationGuide: true })).toEqual([
      'information boxed-warning:TESTOLOL',
      'information rems:TESTOLOL',
      'information medication-guide:TESTOLOL',
    ])
  })

  test('warn of pregnancy and age where the record matches, and are silent where it says no', () => {
    const pregnancy = { pregnancyBoxed: 'When pregnancy is detected, discontinue testolol' }
    expect(levels(pregnancy)).toEqual(['information pregnancy:TESTOLOL'])
    expect(levels(pregnancy, { pregnant: true })).toEqual(['high pregnancy:TESTOLOL'])
    expect(levels(pregnancy, { pregnant: false })).toEqual([])
    const children = { ageWarning: 'Testolol is contraindicated in children under 2 years of age' }
    expect(levels(children)).toEqual(['information age:TESTOLOL'])
    expect(levels(children, { birthDate: '2025-01-01' })).toEqual(['high age:TESTOLOL'])
    expect(levels(children, { birthDate: '2020-01-01' })).toEqual([])
    const elderly = {
      elderlyWarning: 'Elderly patients are at greater risk for serious gastrointestinal events',
    }
    expect(levels(elderly, { birthDate: '1950-01-01' })).toEqual(['high age:TESTOLOL 65+'])
    expect(levels(elderly, { birthDate: '1980-01-01' })).toEqual([])
  })

  test('read the limits of age in a sentence', () => {
    const child = { years: 12, days: 12 * 366 }
    expect(
      concernsAge(
        'All children younger than 12 years of age. Children younger than 18 years after surgery',
        child,
      ),
    ).toBe(true)
    expect(concernsAge('Neonates (28 days of age or younger)', { years: 0, days: 20 })).toBe(true)
    expect(concernsAge('Neonates (28 days of age or younger)', { years: 0, days: 40 })).toBe(false)
    expect(concernsAge('Suicidality in children and adolescents', child)).toBe(true)
    expect(concernsAge('Premature infants', child)).toBe(false)
    expect(concernsElderly('Increased mortality in elderly patients with dementia-related psychosis')).toBe(
      false,
    )
  })

  test('of the own application go before those of the ingredients', () => {
    const boxedWarnings = [
      { key: 'ANDA1', warning: null },
      { key: 'TESTOLOL', warning: 'WARNING: LACTIC ACIDOSIS' },
    ]
    const boxed = (applicationNumber: string | null): string[] =>
      brief(
        alertsOf(
          { lines: [lineOf(['TESTOLOL'], { applicationNumber })] },
          { boxedWarnings, labelSafety: [] },
        ),
      )
    expect(boxed('ANDA1')).toEqual([])
    expect(boxed('ANDA2')).toEqual(['information boxed-warning:TESTOLOL'])
  })
})

describe('recalls', () => {
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
    lots: ['T21-005'],
  }
  test.each([
    ['a listed lot', recall, ['x', 't21005'], 'high', 'block'],
    [
      'a listed lot of a recall that ended',
      { ...recall, status: 'Terminated' },
      ['T21-005'],
      'high',
      'block',
    ],
    ['all lots', { ...recall, isForAllLots: true, hasLots: false, lots: [] }, ['x'], 'high', 'block'],
    ['all lots, ended', { ...recall, isForAllLots: true, status: 'Completed' }, null, 'information', null],
    ['an unknown lot', recall, null, 'medium', 'check-pack'],
    [
      'lots that the report does not print',
      { ...recall, hasLots: false, lots: [] },
      ['x'],
      'medium',
      'check-pack',
    ],
    ['an unknown lot, ended', { ...recall, status: 'Terminated' }, null, 'information', null],
  ] as const)('of %s', (_, fact, lots, level, effect) => {
    const alerts = alertsOf({ lines: [lineOf(['X'], { ndc: '1-2-3', lots })] }, { recalls: [fact] })
    expect(alerts).toMatchObject([{ level, effect, audience: 'staff', detail: 'Failed dissolution' }])
  })

  test('of other lots or packages are no alert', () => {
    expect(
      alertsOf({ lines: [lineOf(['X'], { ndc: '1-2-3', lots: ['x'] })] }, { recalls: [recall] }),
    ).toEqual([])
    expect(alertsOf({ lines: [lineOf(['X'], { ndc: '1-2-4' })] }, { recalls: [recall] })).toEqual([])
  })
})

test('shows a shortage and the dose a day to staff, as figures', () => {
  const line = lineOf(['PREDNISONE'], {
    strength: '20 mg',
    fill: { units: 90, unit: 'tablet', daysSupply: 30 },
  })
  const syrup = lineOf(['AMOXICILLIN'], {
    strength: '250 mg/5 mL',
    fill: { units: 150, unit: 'mL', daysSupply: 10 },
  })
  const shortages = [
    { ndc: null, ingredients: 'PREDNISONE', status: 'Current', reason: 'Demand', date: null },
  ]
  expect(
    alertsOf({ lines: [line, syrup] }, { shortages }).map(
      ({ kind, detail, audience }) => `${kind} ${detail} ${audience}`,
    ),
  ).toEqual([
    'dose 750 mg a day: 150 × 250 mg/5 mL in 10 days staff',
    'dose 60 mg a day: 90 × 20 mg in 30 days staff',
    'shortage Demand staff',
  ])
})

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
