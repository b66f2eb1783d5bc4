import { dailyMedUrl } from '#domain/screening/alert.ts'
import type { InteractionFact } from '#domain/screening/facts.ts'
import {
  alertsOf,
  brief,
  itemOf,
  lineOf,
  medicationOf,
  noSource,
  pairOf,
  patientWith,
  today,
  x,
  y,
  z,
} from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'
import { screen } from '#domain/screening/screen.ts'
import { findFacts, readCareLists } from '#tests/support/care-lists.ts'

describe('an interaction', () => {
  test('an interaction is an alert with its sources by level, list and label', () => {
    const interactions = [
      pairOf('Y', 'X'),
      pairOf('X', 'Y'),
      pairOf('X', 'Y', { id: 'ndfrt', list: 'interactions-ndfrt', level: 'significant' }),
      pairOf('Y', 'X', { id: 'boxed', level: 'boxed', setId: 's1', labelDate: '2024-01-01' }),
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

  test('an interaction keeps rows of the same list and label in their order', () => {
    const interactions = [pairOf('X', 'Y', { id: '1' }), pairOf('X', 'Y', { id: '2' })]
    expect(alertsOf({ lines: [x, y] }, { interactions })[0]?.sources.map(({ rowKey }) => rowKey)).toEqual([
      '1',
      '2',
    ])
  })

  test('an interaction by class needs a member in the case that is not part of the subject', () => {
    const interactions = [pairOf('X', 'Class', { objectKind: 'class', level: 'boxed' })]
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
      interactions: [pairOf('X + Y', 'Class', { objectKind: 'class' })],
      classMembers: members('Y'),
    }
    const both = [lineOf(['X', 'Y']), lineOf(['Y', 'Z'])]
    expect(alertsOf({ lines: both }, ofSet).filter(({ kind }) => kind === 'interaction')).toEqual([])
  })

  test('an ingredient does not interact with itself', () => {
    const lines = [x, lineOf(['X', 'Y'])]
    const alerts = alertsOf({ lines }, { interactions: [pairOf('X', 'X')] })
    expect(alerts.filter(({ kind }) => kind === 'interaction')).toEqual([])
  })

  test.each([
    [x, { ...y, route: 'topical' }, 'boxed', 'medium'],
    [{ ...x, route: 'otic' }, y, 'boxed', 'medium'],
    [x, y, 'boxed', 'high'],
    [x, { ...y, route: 'nasal' }, 'boxed', 'high'],
    [x, { ...y, route: 'topical' }, 'interaction', 'medium'],
  ] as const)('an interaction has its level by the routes: %#', (one, other, listed, level) => {
    expect(
      alertsOf({ lines: [one, other] }, { interactions: [pairOf('X', 'Y', { level: listed })] })[0]?.level,
    ).toBe(level)
  })
})

describe('interactions', () => {
  const graded = (level: 'critical' | 'significant'): InteractionFact =>
    pairOf('IBUPROFEN', 'WARFARIN', { list: 'interactions-ndfrt', level })

  test.each([
    ['critical in NDF-RT', graded('critical'), 'high'],
    ['significant in NDF-RT', graded('significant'), 'medium'],
    ['contraindicated in a label', pairOf('WARFARIN', 'IBUPROFEN', { level: 'contraindicated' }), 'high'],
    ['in a boxed warning', pairOf('WARFARIN', 'IBUPROFEN', { level: 'boxed' }), 'high'],
    ['in section 7 of a label', pairOf('WARFARIN', 'IBUPROFEN'), 'medium'],
  ] as const)('an interaction has the level of a pair that is %s', (_, fact, level) => {
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

  test('an interaction names both sides, and every list that has the pair, the most severe first', () => {
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

  test('interactions by class only are low and folded, and join the named pair', () => {
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

  test('a combination’s pair is found only where one product has all of it', () => {
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

  test('interactions are at most medium with what is only applied to the skin or the eye', () => {
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

  test('interactions are not reported between the ingredients of one medicine', () => {
    const facts = { interactions: [pairOf('HYDROCHLOROTHIAZIDE', 'LISINOPRIL')] }
    const both = ['HYDROCHLOROTHIAZIDE', 'LISINOPRIL']
    expect(alertsOf({ lines: [lineOf(both)], medications: [medicationOf(both)] }, facts)).toEqual([])
  })
})

describe('the lists’ wider names', () => {
  const lists = readCareLists()
  const found = (line: string[], taken: string[]): string[] => {
    const patient = patientWith({ medications: [medicationOf(taken)] })
    const input = { lines: [lineOf(line)], patient, today }
    return brief(screen(input, findFacts(lists, input)).alerts).filter((alert) =>
      alert.includes(' interaction:'),
    )
  }

  test.each([
    ['LITHIUM CARBONATE', 'IBUPROFEN', 'medium interaction:IBUPROFEN|LITHIUM CARBONATE'],
    ['LITHIUM CITRATE', 'HYDROCHLOROTHIAZIDE', 'high interaction:HYDROCHLOROTHIAZIDE|LITHIUM CITRATE'],
    ['CALCIUM CARBONATE', 'LEVOTHYROXINE', 'medium interaction:CALCIUM CARBONATE|LEVOTHYROXINE'],
    ['CALCIUM GLUCONATE', 'CEFTRIAXONE', 'high interaction:CALCIUM GLUCONATE|CEFTRIAXONE'],
    ['POTASSIUM CHLORIDE', 'LISINOPRIL', 'medium interaction:LISINOPRIL|POTASSIUM CHLORIDE'],
    ['INSULIN GLARGINE', 'METOPROLOL', 'medium interaction:INSULIN GLARGINE|METOPROLOL'],
    ['CONJUGATED ESTROGENS', 'LETROZOLE', 'high interaction:CONJUGATED ESTROGENS|LETROZOLE'],
    ['TRIAMCINOLONE ACETONIDE', 'RITONAVIR', 'high interaction:RITONAVIR|TRIAMCINOLONE ACETONIDE'],
  ])('wider names mean %s with %s', (one, other, alert) => {
    expect(found([one], [other])).toEqual([alert])
    expect(found([other], [one])).toEqual([alert])
  })

  test('wider names are one alert with what the lists say of the ingredient itself', () => {
    // NDF-RT has BENAZEPRIL with POTASSIUM and with POTASSIUM CHLORIDE.
    expect(found(['BENAZEPRIL'], ['POTASSIUM CHLORIDE'])).toEqual([
      'medium interaction:BENAZEPRIL|POTASSIUM CHLORIDE',
    ])
  })
})
