import { ageOn } from '#domain/accounts/age.ts'
import { describeChange, pairDays, parsePeriod, periodSpan } from '#domain/dashboard/dashboard.ts'
import { expect, test } from 'vitest'

test.each([
  [15, 10, '50% more than'],
  [5, 10, '50% less than'],
  [0, 10, '100% less than'],
  [10, 10, 'about the same as'],
  [1001, 1000, 'about the same as'],
  [120_000, 10, '1,199,900% more than'],
  [10, 0, null],
  [0, 0, null],
])('%i compared to %i is %s', (now, before, text) => expect(describeChange(now, before)).toBe(text))

test.each([
  ['7', 7],
  ['90', 90],
  [null, 30],
  ['31', 30],
  ['', 30],
])('the period %s has %i days', (text, days) => expect(parsePeriod(text)).toBe(days))

test('a period ends today in UTC and is compared to as many days before it', () => {
  const span = periodSpan(new Date('2026-03-01T23:59:59Z'), 7)
  expect(Object.values(span).map((moment) => moment.toISOString())).toEqual([
    '2026-02-16T00:00:00.000Z',
    '2026-02-23T00:00:00.000Z',
    '2026-03-02T00:00:00.000Z',
  ])
  const days = pairDays(span, 7, [
    { day: '2026-02-16', cents: 100, orders: 1 },
    { day: '2026-03-01', cents: 200, orders: 2 },
    { day: '2026-02-01', cents: 900, orders: 9 },
  ])
  expect(days).toHaveLength(7)
  expect(days[0]).toEqual({
    now: { day: '2026-02-23', cents: 0, orders: 0 },
    before: { day: '2026-02-16', cents: 100, orders: 1 },
  })
  expect(days[6]).toMatchObject({ now: { cents: 200 }, before: { day: '2026-02-22', cents: 0 } })
})

test.each([
  ['2026-01-05', '1980-01-05', 46],
  ['2026-01-05', '1980-01-06', 45],
  ['2026-02-28', '2024-02-29', 1],
  ['2026-03-01', '2024-02-29', 2],
])('on %s, a person born on %s is %i', (today, born, age) => expect(ageOn(today, born)).toBe(age))
