import { findShortage } from '#domain/screening/check-supply.ts'
import type { ShortageFact } from '#domain/screening/facts.ts'
import { isOngoing, judgeRecall, judgeUnits } from '#domain/screening/recall-outcome.ts'
import { alertsOf, itemOf, lineOf, medicationOf, noSource, recallOf, x } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('supply', () => {
  const recall = recallOf(['A1'])
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

  test('a pending recall has begun: it blocks like an ongoing one', () => {
    const pending = { ...recall, status: 'Pending', lots: [], listsAllLots: false }
    expect(judgeRecall(pending, null)).toEqual(look)
    expect(judgeRecall({ ...pending, isForAllLots: true }, null)).toEqual(block)
    expect(['Terminated', 'Completed', 'Not pending'].filter(isOngoing)).toEqual([])
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

describe('recalls', () => {
  const recall = recallOf(['T21-005'])
  test.each([
    ['a listed lot', recall, ['x', 't21005'], 'high', 'block'],
    [
      'a listed lot of a recall that ended',
      { ...recall, status: 'Terminated' },
      ['T21-005'],
      'high',
      'block',
    ],
    ['all lots', { ...recall, isForAllLots: true, listsAllLots: false, lots: [] }, ['x'], 'high', 'block'],
    ['all lots, ended', { ...recall, isForAllLots: true, status: 'Completed' }, null, 'information', null],
    ['an unknown lot', recall, null, 'medium', 'check-pack'],
    [
      'lots that the report does not print',
      { ...recall, listsAllLots: false, lots: [] },
      ['x'],
      'medium',
      'check-pack',
    ],
    ['another lot of a truncated list', { ...recall, listsAllLots: false }, ['x'], 'medium', 'check-pack'],
    ['an unknown lot, ended', { ...recall, status: 'Terminated' }, null, 'information', null],
  ] as const)('a recall of %s', (_, fact, lots, level, effect) => {
    const alerts = alertsOf({ lines: [lineOf(['X'], { ndc: '1-2-3', lots })] }, { recalls: [fact] })
    expect(alerts).toMatchObject([{ level, effect, audience: 'staff', detail: 'Failed dissolution' }])
  })

  test('recalls of other lots or packages are not an alert', () => {
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
