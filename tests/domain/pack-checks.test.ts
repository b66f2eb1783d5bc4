import {
  isHeldBack,
  lotNumbersOf,
  packCheckFormSchema,
  packCheckSchema,
  type PackCheck,
} from '#domain/orders/pack-checks.ts'
import { expect, test } from 'vitest'

const check = (changes: Partial<PackCheck> = {}): PackCheck => ({
  lineId: 'line',
  recallId: 'recall',
  lotNumber: 'A-1',
  reason: null,
  by: 'pharmacist',
  at: '2026-03-10T12:00:00.000Z',
  lots: ['A1', 'B2'],
  ...changes,
})
const units = {
  lineId: 'line',
  recallId: 'recall',
  effect: 'check-pack',
  lots: [{ lotNumber: 'b2' }, { lotNumber: 'a-1' }],
  recalledLots: ['C3'],
} as const

test.each([
  ['no look at the pack', [], {}, true],
  ['a look at the pack', [check()], {}, false],
  ['several looks, one of them at this line', [check({ lineId: 'other' }), check()], {}, false],
  ['a look at another line', [check({ lineId: 'other' })], {}, true],
  ['a look for another recall', [check({ recallId: 'other' })], {}, true],
  ['other lots since', [check({ lots: ['A1'] })], {}, true],
  ['the same lots since, one of them twice', [check({ lots: ['A1', 'B2', 'a-1'] })], {}, false],
  ['no lots then', [check({ lots: [] })], {}, true],
  ['no lots then and now', [check({ lots: [] })], { lots: undefined }, false],
  ['a recall that lists the seen lot since', [check()], { recalledLots: ['C3', 'a1'] }, true],
  ['a recall that lists another lot of the line', [check()], { recalledLots: ['B-2'] }, true],
  ['a look without a reason, for a recall of all lots', [check()], { effect: 'block' }, true],
  ['a reason, for a recall of all lots', [check({ reason: 'Older pack' })], { effect: 'block' }, false],
  ['a recall without an effect', [], { effect: null }, false],
] as const)('%s: held back %#', (_, packChecks, changes, expected) => {
  expect(isHeldBack({ packChecks }, { ...units, ...changes })).toBe(expected)
})

test('an order without checks holds a recalled line back', () => {
  expect(isHeldBack({}, units)).toBe(true)
  expect(isHeldBack({}, { ...units, effect: null })).toBe(false)
})

test('a check keeps the numbers of the line’s lots', () => {
  expect([lotNumbersOf(units.lots), lotNumbersOf()]).toEqual([['b2', 'a-1'], []])
  expect(packCheckSchema.parse(check())).toEqual(check())
})

const enterLot = 'Enter the lot number that is printed on the package.'
const form = { lineId: 'line', recallId: 'recall', lotNumber: 'A-1' }

test('the form trims what was typed, and a reason is optional', () => {
  expect(packCheckFormSchema.parse({ ...form, lotNumber: ' A-1 ', reason: ' Older pack ' })).toEqual({
    ...form,
    reason: 'Older pack',
  })
  expect(packCheckFormSchema.parse(form)).toEqual({ ...form, reason: '' })
})

test.each([
  [{ lotNumber: undefined }, enterLot],
  [{ lotNumber: '--' }, enterLot],
  [{ lotNumber: 'x'.repeat(60) }, null],
  [{ lotNumber: 'x'.repeat(61) }, 'Use at most 60 characters.'],
  [{ reason: 'x'.repeat(500) }, null],
  [{ reason: 'x'.repeat(501) }, 'Use at most 500 characters.'],
  [{ lineId: 'x'.repeat(100), recallId: 'x'.repeat(100) }, null],
])('the form with %j', (changes, message) => {
  const { error } = packCheckFormSchema.safeParse({ ...form, ...changes })
  expect(error?.issues[0]?.message ?? null).toBe(message)
})

test.each(['lineId', 'recallId'])('the form refuses a long %s and an empty lot number', (field) => {
  expect(packCheckFormSchema.safeParse({ ...form, [field]: 'x'.repeat(101) }).success).toBe(false)
  const { error } = packCheckFormSchema.safeParse({ ...form, lotNumber: ' ' })
  expect(error?.issues.map(({ message }) => message)).toContain(enterLot)
})
