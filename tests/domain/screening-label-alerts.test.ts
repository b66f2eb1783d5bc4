import { alertText } from '#domain/alerts/alert-text.ts'
import { concernsAge, concernsElderly } from '#domain/screening/age.ts'
import type { LabelSafetyFact, BoxedWarningFact } from '#domain/screening/facts.ts'
import type { ScreenedPatient } from '#domain/screening/patient.ts'
import {
  alertsOf,
  brief,
  itemOf,
  labelOf,
  lineOf,
  medicationOf,
  noSource,
  x,
} from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('labels', () => {
  const label = (changes: Partial<LabelSafetyFact> = {}): LabelSafetyFact => labelOf('X', changes)
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

  test('labels warn a pregnant patient in one alert with both places', () => {
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

  test('labels of two lines with the ingredient are one alert with one source', () => {
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

  test('labels of the whole set go before those of its ingredients', () => {
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
  test('labels name where each warning stands', () => {
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
    [
      'a child above the limit of a truncated text',
      { ageWarning: 'Not in patients less than 7 years of age. WARNING:…' },
      '2014-01-01',
      [['information age:X', undefined]],
    ],
    [
      'an adult, of a truncated text',
      { ageWarning: 'Not in patients less than 7 years of age. WARNING:…' },
      '1990-01-01',
      [],
    ],
    ['an older adult', { elderlyWarning: older }, '1961-11-22', [['high age:X 65+', '65 years old']]],
    ['an adult of nearly 65', { elderlyWarning: older }, '1961-11-23', []],
    [
      'an older adult with a diagnosis',
      { elderlyWarning: 'Elderly patients with dementia' },
      '1950-01-01',
      [['information age:X 65+', undefined]],
    ],
    ['an adult of unknown age', { elderlyWarning: older }, null, [['information age:X 65+', undefined]]],
  ])('labels warn %s', (_, changes, birthDate, expected) => {
    const alerts = alertsOf({ lines: [x], patient: { birthDate } }, { labelSafety: [label(changes)] })
    expect(alerts.map(({ level, key, second }) => [`${level} ${key}`, second?.items[0]?.name])).toEqual(
      expected,
    )
    for (const { sources } of alerts)
      expect(sources.map(({ grade }) => grade)).toEqual([
        'ageWarning' in changes ? 'Children' : 'Older adults',
      ])
  })

  test('alerts about an unknown age say whom they are about, and name the medicine plainly', () => {
    const warnings = { ageWarning: child, elderlyWarning: older }
    const unknown = 'No date of birth is on record, so we can’t say whether it applies.'
    const textsOf = (birthDate: string | null) =>
      alertsOf({ lines: [x], patient: { birthDate } }, { labelSafety: [label(warnings)] }).map((alert) => {
        const { title, fact } = alertText(alert, { isOwn: true })
        return `${title}: ${fact}`
      })
    expect(textsOf(null)).toEqual([
      `${x.name}: The label has a warning about children. ${unknown}`,
      `${x.name}: The label has a warning about older adults. ${unknown}`,
    ])
    expect(textsOf('1950-01-01')).toEqual([
      `${x.name}: Your record says: 76 years old. The label warns about use at this age.`,
    ])
  })
})

describe('labels of an ingredient', () => {
  const label = labelOf('TESTOLOL')
  const levels = (changes: Partial<LabelSafetyFact>, patient: Partial<ScreenedPatient> = {}): string[] =>
    brief(alertsOf({ lines: [lineOf(['TESTOLOL'])], patient }, { labelSafety: [{ ...label, ...changes }] }))

  test('labels inform of boxed warnings, REMS and Medication Guides', () => {
    expect(levels({ boxedWarning: 'WARNING', hasRems: true, hasMedicationGuide: true })).toEqual([
      'information boxed-warning:TESTOLOL',
      'information rems:TESTOLOL',
      'information medication-guide:TESTOLOL',
    ])
  })

  test('labels warn of pregnancy and age where the record matches, and are silent where it says no', () => {
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

  test('age limits are read from a sentence', () => {
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

  test('a product’s own labels go before those of its ingredients', () => {
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
