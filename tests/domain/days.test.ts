import { addBusinessDays } from '#domain/business-days.ts'
import { addDays, addMonths, daysSince, isFutureDay, utcDay } from '#domain/days.ts'
import { agreementDayProblem } from '#domain/dispensing/agreement-day.ts'
import { expect, test } from 'vitest'

test('days are added across months, years and leap days', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  // Clocks change in the US on this day.
  expect(addDays('2026-03-07', 2)).toBe('2026-03-09')
})

test('months are added to the same date, or to the last day of a shorter month', () => {
  expect(addMonths('2026-01-15', 6)).toBe('2026-07-15')
  expect(addMonths('2026-08-31', 6)).toBe('2027-02-28')
  expect(addMonths('2027-08-31', 6)).toBe('2028-02-29')
  expect(addMonths('2026-11-30', 12)).toBe('2027-11-30')
  expect(addMonths('2028-02-29', 12)).toBe('2029-02-28')
  expect(addMonths('2026-12-31', 1)).toBe('2027-01-31')
})

test('days since a moment are counted by the calendar in UTC, and never below 0', () => {
  const now = new Date('2026-03-10T00:30:00Z')
  expect(utcDay(now)).toBe('2026-03-10')
  expect(daysSince(new Date('2026-03-10T00:00:00Z'), now)).toBe(0)
  expect(daysSince(new Date('2026-03-09T23:59:59Z'), now)).toBe(1)
  expect(daysSince(new Date('2026-02-28T12:00:00Z'), now)).toBe(10)
  expect(daysSince(new Date('2026-03-12T12:00:00Z'), now)).toBe(0)
})

test('a day is in the future until it starts somewhere, at most 14 hours ahead of UTC', () => {
  expect(isFutureDay(new Date('2026-03-10T09:59:59Z'), '2026-03-11')).toBe(true)
  expect(isFutureDay(new Date('2026-03-10T10:00:00Z'), '2026-03-11')).toBe(false)
  expect(isFutureDay(new Date('2026-03-10T10:00:00Z'), '2026-03-12')).toBe(true)
  expect(isFutureDay(new Date('2026-03-10T10:00:00Z'), '2026-03-10')).toBe(false)
})

test('a prescriber cannot have agreed in the future', () => {
  const now = new Date('2026-03-10T09:00:00Z')
  expect(agreementDayProblem(now, { on: null })).toBeNull()
  expect(agreementDayProblem(now, { on: '2026-03-10' })).toBeNull()
  expect(agreementDayProblem(now, { on: '2026-03-11' })).toMatch(/can’t be in the future/)
})

test('business days skip Saturdays and Sundays', () => {
  // A Friday.
  const friday = new Date('2026-03-06T15:00:00Z')
  const after = [0, 1, 5, 6].map((days) => addBusinessDays(friday, days).toISOString())
  expect(after).toEqual([
    '2026-03-06T15:00:00.000Z',
    '2026-03-09T15:00:00.000Z',
    '2026-03-13T15:00:00.000Z',
    '2026-03-16T15:00:00.000Z',
  ])
  expect(utcDay(addBusinessDays(new Date('2026-03-07T15:00:00Z'), 1))).toBe('2026-03-09')
  expect(utcDay(friday)).toBe('2026-03-06')
})
