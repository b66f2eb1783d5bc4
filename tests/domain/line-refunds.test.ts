import {
  noLineRefunds,
  repeatedUnits,
  sumLineRefunds,
  type RefundOfLine,
} from '#domain/orders/line-refunds.ts'
import { expect, test } from 'vitest'

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 12, minute))
const refund = (minute: number, changes: Partial<RefundOfLine> = {}): RefundOfLine => ({
  quantity: 1,
  restocked: 1,
  restock: true,
  createdAt: at(minute),
  failedAt: null,
  ...changes,
})

test.each([
  ['none', [], { refunded: 0, requested: 0, restocked: 0, failed: [] }],
  ['two', [refund(1), refund(2)], { refunded: 2, requested: 2, restocked: 2, failed: [] }],
  [
    'one that failed',
    [refund(1, { failedAt: at(2) })],
    { refunded: 0, requested: 1, restocked: 1, failed: [{ quantity: 1, restocked: 1 }] },
  ],
  [
    'one that failed and was made again',
    [refund(1, { failedAt: at(2) }), refund(3, { restocked: 0 })],
    { refunded: 1, requested: 1, restocked: 1, failed: [] },
  ],
  [
    'one that failed, was made again and failed again',
    [refund(1, { failedAt: at(2) }), refund(3, { restocked: 0, failedAt: at(4) })],
    { refunded: 0, requested: 1, restocked: 1, failed: [{ quantity: 1, restocked: 1 }] },
  ],
  [
    'one before another failed',
    [refund(1, { failedAt: at(3) }), refund(2)],
    { refunded: 1, requested: 2, restocked: 2, failed: [{ quantity: 1, restocked: 1 }] },
  ],
  [
    'one that failed, and the rest cancelled',
    [refund(1, { failedAt: at(2) }), refund(3, { quantity: 2, restocked: 2, restock: null })],
    { refunded: 2, requested: 3, restocked: 3, failed: [{ quantity: 1, restocked: 1 }] },
  ],
  [
    'a refused line that was not charged',
    [refund(1, { restock: null, createdAt: null })],
    { refunded: 1, requested: 1, restocked: 1, failed: [] },
  ],
])('%s: what refunds add up to', (_, refunds, expected) => {
  const sums = sumLineRefunds(refunds)
  expect({
    ...sums,
    failed: sums.failed.map(({ quantity, restocked }) => ({ quantity, restocked })),
  }).toEqual(expected)
})

test('a new refund repeats at most the units of failed ones, and changes nothing itself', () => {
  const refunds = sumLineRefunds([
    refund(1, { failedAt: at(2), restocked: 0 }),
    refund(1, { failedAt: at(2), quantity: 2, restocked: 1 }),
  ])
  for (const _call of [1, 2]) {
    expect(repeatedUnits(refunds, 1)).toEqual({ quantity: 1, restocked: 0 })
    expect(repeatedUnits(refunds, 2)).toEqual({ quantity: 2, restocked: 1 })
    expect(repeatedUnits(refunds, 9)).toEqual({ quantity: 3, restocked: 1 })
  }
  expect(repeatedUnits(noLineRefunds, 3)).toEqual({ quantity: 0, restocked: 0 })
})
