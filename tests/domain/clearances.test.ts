import { combineClearances, getClearance, type Clearance } from '#domain/dispensing/dispensing.ts'
import { expect, test } from 'vitest'

test.for<[Clearance[], Clearance | null]>([
  [[], null],
  [['cleared', 'unchecked', 'waiting', 'asked'], 'waiting'],
  [['cleared', 'asked', 'unchecked'], 'unchecked'],
  [['cleared', 'asked'], 'asked'],
  // What was refused does not ship.
  [['refused', 'cleared'], 'cleared'],
  [['refused', 'refused'], 'refused'],
])('an order with lines that are %j is %s', ([lines, combined]) => {
  expect(combineClearances(lines)).toBe(combined)
})

test('only a cleared line waits for the second check, where the shop requires one', () => {
  const two = { twoPharmacists: true }
  expect(getClearance({ status: 'cleared', checkedBy: null }, two)).toBe('unchecked')
  expect(getClearance({ status: 'cleared', checkedBy: 'a' }, two)).toBe('cleared')
  expect(getClearance({ status: 'cleared', checkedBy: null }, { twoPharmacists: false })).toBe('cleared')
  expect(getClearance({ status: 'refused', checkedBy: null }, two)).toBe('refused')
  expect(getClearance(undefined, two)).toBe('waiting')
})
