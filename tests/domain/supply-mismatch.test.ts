import { findSupplyMismatch } from '#domain/dispensing/supply-mismatch.ts'
import { unitsPerDay } from '#domain/dispensing/units-per-day.ts'
import { expect, test } from 'vitest'

test.each([
  ['1 tab po bid', 2],
  ['Take 1 tablet by mouth twice a day', 2],
  ['take one tablet by mouth twice daily.', 2],
  ['TAKE ONE TABLET IN THE MORNING', 1],
  ['1 tablet a day', 1],
  ['2 tabs po tid with meals', 6],
  ['2 tabs po qid ac', 8],
  ['3 tablets 3 times every day, swallow whole', 9],
  ['1.5 tabs po daily', 1.5],
  ['0.5 tab po bid', 1],
  ['half a tablet once a day', 0.5],
  ['2 tabs (1,000 mg) po bid', 4],
  ['Take 1 tablet (500 mg total) by mouth every day for blood pressure', 1],
  ['1 tab po q8h', 3],
  ['1 tab po q 12 hours', 2],
  ['1 tab po qh', 24],
  ['1 tab po q5h', 4.8],
  ['1 tab po q72h', 1 / 3],
  ['1 tab po qam', 1],
  ['1 tab po qam and qpm', 2],
  ['1 tab po am and pm', 2],
  ['1 tab po nightly', 1],
  ['1 tab po every night at bedtime', 1],
  ['1 tab every morning before breakfast', 1],
  ['1 tab in the morning with breakfast and in the evening with dinner', 2],
  ['1 tab po at 8 AM and at 8 PM', 2],
  ['1 tab po with breakfast, lunch and supper', 3],
  ['1 tab in the morning, at noon, and at bedtime', 3],
  ['1 tab po twice a day, in the morning and at bedtime', 2],
  ['1 tab po daily, at bedtime', 1],
  ['1 tab po once daily. Take with food.', 1],
  ['1 tab po bid for 10 days', 2],
  ['1 tab po bid on an empty stomach with a full glass of water', 2],
  ['1 tab with breakfast every morning', 1],
  ['1 tab po at 8 in the morning with breakfast', 1],
  ['1 tab every evening at 6 with dinner', 1],
])('units a day: %s', (directions, perDay) => {
  expect(unitsPerDay(directions, 'tablet')).toBe(perDay)
})

test.each([
  // As needed, or as someone decides.
  '1 tab po bid prn pain',
  '1 tab po q6h for pain',
  '1 tab po daily as directed',
  '1 tab po daily as tolerated',
  'Take 1 tablet daily if needed',
  'May take 1 tablet daily',
  // Ranges.
  '1-2 tabs po bid',
  '1 to 2 tablets twice a day',
  '1 tab po q4-6h',
  '1 or 2 tablets daily',
  '1 tablet once or twice a day',
  'up to 3 tablets a day',
  // The dose changes.
  '2 tabs po stat, then 1 tab po daily',
  '1 tab po bid for 7 days, then daily',
  '1 tab po bid; 2 tabs po nightly',
  '1 tab po qam and 2 tabs po qpm',
  '1 tab in the morning and 2 in the evening',
  '1 tab po at 8 AM and 8 PM',
  '1 tab po daily. 2 tabs po on Sunday.',
  '2 tabs on the first day, 1 tab daily',
  '1 tab po bid and at bedtime',
  '1 tab po bid at bedtime',
  '1 tab po daily and at bedtime',
  '1 tab po every morning at bedtime',
  '1 tab in the morning, with breakfast',
  '1 tab in the morning and at bedtime. In the morning.',
  '1 tab in the morning. Take at bedtime.',
  // Once, or at each of both?
  '1 tab before breakfast after breakfast',
  '1 tab po with dinner after supper',
  '1 tab po at 8 AM at 9 AM',
  '1 tab po at 8 in the morning at 9 with breakfast',
  '1 tab every morning before breakfast after breakfast',
  '1 tab po once daily before breakfast after breakfast',
  'Increase by 1 tablet every day',
  // Days without a dose.
  '1 tab po weekly',
  '1 tab po qwk',
  '1 tab po once a week',
  '1 tab po every week',
  '1 tab po every other day',
  '1 tab po every 2 days',
  '1 tab po 3 times a week',
  '1 tab po daily on Monday',
  '1 tab po daily except Sunday',
  '1 tab po daily for 21 days, then 7 days off',
  '1 tab po once',
  '1 tab po once a month',
  // No dose in units, or not how often.
  '1 daily',
  '1 po bid',
  '500 mg po bid',
  '1 cap po bid',
  '1 packet po bid',
  'apply aaa bid',
  '1 tab po',
  '1 tab po with meals',
  '1 tab po ac, nightly',
  '1 tab po before meals, at bedtime',
  '1 tab po with meals at bedtime',
  '1 tab po after meals, in the evening',
  '1 tab po with meals daily',
  '1 tab po daily for 5 days for 2 weeks',
  '1 tab po q5min',
  '1 tab po q4h while awake',
  '1 tab po daily bid',
  '0 tabs po bid',
  '1 and 0.5 tablets daily',
  '1,5 tablets daily',
  '1 tablet (2 tablets total) daily',
  '1 tab po every 0 hours',
  // Not read, or never printed.
  '1 tab po bid zzz',
  '1 tab po qd',
  '1 tab po BID x10d',
  '1 tab po bid in each cheek',
  '1 tab po twice a day-ish',
  'as directed',
  '',
  '  ',
])('no units a day: %s', (directions) => {
  expect(unitsPerDay(directions, 'tablet')).toBe(null)
})

test.each([
  ['1 cap po bid', 'capsule', 2],
  ['5 mL po bid', 'mL', 10],
  ['2.5 mL po q6h', 'mL', 10],
  ['1,000 mL po daily', 'mL', 1000],
  ['1 patch top q72h', 'patch', 1 / 3],
  ['2 patches top daily', 'patch', 2],
  ['1 supp pr nightly', 'suppository', 1],
  ['1 film under the tongue daily', 'film', 1],
  ['1 patch top daily, remove at bedtime', 'patch', null],
  ['5 mL po bid', 'pack', null],
  ['1 pack daily', 'pack', null],
  ['2 puffs inh bid', 'pack', null],
  ['2 puffs inh bid', 'dose', null],
  ['1 gtt right eye qid', 'mL', null],
  ['10 units subcut nightly', 'mL', null],
])('a dose counts only in the unit of the quantity: %s of %ss', (directions, unit, perDay) => {
  expect(unitsPerDay(directions, unit)).toBe(perDay)
})

test.each([
  [200, 30, '1 tab po bid', 'By the directions, 200 tablets last 100 days, not 30.'],
  [30, 30, '1 tab po bid', 'By the directions, 30 tablets last 15 days, not 30.'],
  [1000, 90, '2 tabs po daily', 'By the directions, 1,000 tablets last 500 days, not 90.'],
  [20, 30, '1 tab po tid', 'By the directions, 20 tablets last 6.7 days, not 30.'],
  [1, 30, '1 tab po daily', 'By the directions, 1 tablet lasts 1 day, not 30.'],
  [30, 3, '0.5 tab po daily', 'By the directions, 30 tablets last 60 days, not 3.'],
  // More than 2 days and more than 10 % of the days' supply.
  [60, 30, '1 tab po bid', null],
  [28, 30, '1 tab po daily', null],
  [33, 30, '1 tab po daily', null],
  [27, 30, '1 tab po daily', null],
  [34, 30, '1 tab po daily', 'By the directions, 34 tablets last 34 days, not 30.'],
  [26, 30, '1 tab po daily', 'By the directions, 26 tablets last 26 days, not 30.'],
  [99, 90, '1 tab po daily', null],
  [100, 90, '1 tab po daily', 'By the directions, 100 tablets last 100 days, not 90.'],
  [9, 7, '1 tab po daily', null],
  [10, 7, '1 tab po daily', 'By the directions, 10 tablets last 10 days, not 7.'],
  [200, 30, '1 tab po bid prn', null],
  [0, 30, '1 tab po bid', null],
  [Number.NaN, 30, '1 tab po bid', null],
  [200, 0, '1 tab po bid', null],
  [200, Number.NaN, '1 tab po bid', null],
])('%d tablets for %d days, %s', (units, daysSupply, directions, message) => {
  expect(findSupplyMismatch({ directions, units, unit: 'tablet', daysSupply })).toBe(message)
})

test('the unit of the quantity is named', () => {
  const of = (directions: string, unit: string) =>
    findSupplyMismatch({ directions, units: 100, unit, daysSupply: 30 })
  expect(of('5 mL po bid', 'mL')).toBe('By the directions, 100 mL last 10 days, not 30.')
  expect(of('1 supp pr nightly', 'suppository')).toBe(
    'By the directions, 100 suppositories last 100 days, not 30.',
  )
  expect(of('1 tab po bid', 'capsule')).toBe(null)
})
