import { alertsOf, itemOf, lineOf, noSource, pairOf, x, y, z } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('an interaction', () => {
  test('is an alert with its sources by level, list and label', () => {
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

  test('keeps rows of the same list and label in their order', () => {
    const interactions = [pairOf('X', 'Y', { id: '1' }), pairOf('X', 'Y', { id: '2' })]
    expect(alertsOf({ lines: [x, y] }, { interactions })[0]?.sources.map(({ rowKey }) => rowKey)).toEqual([
      '1',
      '2',
    ])
  })

  test('by class needs a member in the case that is no part of the subject', () => {
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

  test('of an ingredient with itself is none', () => {
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
  ] as const)('has its level by the routes: %#', (one, other, listed, level) => {
    expect(
      alertsOf({ lines: [one, other] }, { interactions: [pairOf('X', 'Y', { level: listed })] })[0]?.level,
    ).toBe(level)
  })
})
