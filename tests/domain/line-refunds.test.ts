import { nextUnits, sumLineRefunds, unitsLeftToShip, type RefundOfLine } from '#domain/orders/line-refunds.ts'
import { expect, test } from 'vitest'

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 12, minute))
const refund = (minute: number, changes: Partial<RefundOfLine> = {}): RefundOfLine => ({
  quantity: 1,
  restocked: 1,
  positions: null,
  restock: true,
  createdAt: at(minute),
  failedAt: null,
  ...changes,
})

/** Of a line of five units: what is refunded, what is in stock, and what another refund takes. */
type Expected = { refunded: number[]; restocked: number[]; next: number[] }

test.each<[string, RefundOfLine[], Expected]>([
  ['none', [], { refunded: [], restocked: [], next: [0, 1] }],
  ['two', [refund(1), refund(2)], { refunded: [0, 1], restocked: [0, 1], next: [2, 3] }],
  ['one that failed', [refund(1, { failedAt: at(2) })], { refunded: [], restocked: [0], next: [0, 1] }],
  [
    'one that failed and was made again',
    [refund(1, { failedAt: at(2) }), refund(3, { restocked: 0 })],
    { refunded: [0], restocked: [0], next: [1, 2] },
  ],
  [
    'one that failed, was made again and failed again',
    [refund(1, { failedAt: at(2) }), refund(3, { restocked: 0, failedAt: at(4) })],
    { refunded: [], restocked: [0], next: [0, 1] },
  ],
  [
    'one before another failed',
    [refund(1, { failedAt: at(3) }), refund(2)],
    { refunded: [1], restocked: [0, 1], next: [0, 2] },
  ],
  [
    'one that failed after another, which was made again first',
    [refund(1, { failedAt: at(5) }), refund(2, { failedAt: at(3) }), refund(4, { restocked: 0 })],
    { refunded: [1], restocked: [0, 1], next: [0, 2] },
  ],
  [
    'one of two units that failed without restocking, and one of them made again',
    [refund(1, { quantity: 2, restocked: 0, failedAt: at(2) }), refund(3)],
    { refunded: [0], restocked: [0], next: [1, 2] },
  ],
  [
    'one that failed, and the rest cancelled',
    [refund(1, { failedAt: at(2) }), refund(3, { quantity: 2, restocked: 2, restock: null })],
    { refunded: [1, 2], restocked: [0, 1, 2], next: [0, 3] },
  ],
  [
    'two units of which one was restocked',
    [refund(1, { quantity: 2 })],
    { refunded: [0, 1], restocked: [0], next: [2, 3] },
  ],
  [
    'one that failed, and was made again with another unit that was restocked',
    [refund(1, { failedAt: at(2) }), refund(3, { quantity: 2 })],
    { refunded: [0, 1], restocked: [0, 1], next: [2, 3] },
  ],
  [
    'one that was made again in the moment that it failed',
    [refund(1, { failedAt: at(2) }), refund(2, { restocked: 0 })],
    { refunded: [0], restocked: [0], next: [1, 2] },
  ],
  [
    'one that failed while another was requested, which has its own unit',
    [refund(1, { failedAt: at(1), positions: [0] }), refund(2, { positions: [1] })],
    { refunded: [1], restocked: [0, 1], next: [0, 2] },
  ],
  [
    'one that was made again, which is stored first',
    [refund(1, { positions: [0], restocked: 0 }), refund(1, { positions: [0], failedAt: at(2) })],
    { refunded: [0], restocked: [0], next: [1, 2] },
  ],
  [
    'a refused line that was not charged',
    [refund(1, { restock: null, createdAt: null })],
    { refunded: [0], restocked: [0], next: [1, 2] },
  ],
])('sums line refunds: %s', (_, refunds, expected) => {
  const { units, refunded, restocked } = sumLineRefunds(refunds)
  expect({
    refunded: units.flatMap(({ failedAt }, position) => (failedAt === null ? [position] : [])),
    restocked: units.flatMap(({ isRestocked }, position) => (isRestocked ? [position] : [])),
    next: nextUnits(units, 2),
  }).toEqual(expected)
  expect([refunded, restocked]).toEqual([expected.refunded.length, expected.restocked.length])
})

test('units whose refund failed are left to ship unless they are back in stock', () => {
  const failed = { failedAt: at(2) }
  const { units } = sumLineRefunds([
    refund(1, { ...failed, positions: [0] }),
    refund(1, { ...failed, positions: [1], restocked: 0 }),
    refund(1, { positions: [2], restocked: 0 }),
    refund(1, { positions: [3] }),
  ])
  expect(unitsLeftToShip(6, { units })).toEqual([1, 4, 5])
})

test('what refunds put back into stock counts, even when they seem to be of the same unit', () => {
  const refunds = [refund(1, { failedAt: at(1) }), refund(2)]
  expect(sumLineRefunds(refunds)).toMatchObject({ refunded: 1, restocked: 2 })
})
