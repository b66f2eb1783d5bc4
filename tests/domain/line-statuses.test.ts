import { combineStatuses, type LineReviewStatus } from '#domain/dispensing/dispensing.ts'
import { expect, test } from 'vitest'

test.for<[LineReviewStatus[], LineReviewStatus | null]>([
  [[], null],
  [['cleared', 'waiting', 'asked'], 'waiting'],
  [['cleared', 'asked'], 'asked'],
  // What was refused does not ship.
  [['refused', 'cleared'], 'cleared'],
  [['refused', 'refused'], 'refused'],
])('an order with lines that are %j is %s', ([statuses, combined]) => {
  expect(combineStatuses(statuses)).toBe(combined)
})
