import { computeCancellation, leftToRefund } from '#domain/orders/cancellation.ts'
import { sumLineRefunds, type LineRefunds } from '#domain/orders/line-refunds.ts'
import { describe, expect, test } from 'vitest'

const lines = [
  { id: 'tracked', quantity: 3, isTracked: true },
  { id: 'untracked', quantity: 2, isTracked: false },
]
const order = { capturedCents: 2900, lines }

const at = new Date(Date.UTC(2026, 0, 5))
const refundOf = (quantity: number, changes: { restocked?: number; failedAt?: Date } = {}): LineRefunds =>
  sumLineRefunds([
    { quantity, restocked: 0, positions: null, restock: true, createdAt: at, failedAt: null, ...changes },
  ])

const cases = [
  { name: 'no earlier refund', cents: 0, refunds: {}, refundCents: 2900, left: [3, 2], restocked: 3 },
  {
    name: 'one unit of each line',
    cents: 1200,
    refunds: { tracked: refundOf(1), untracked: refundOf(1) },
    refundCents: 1700,
    left: [2, 1],
    restocked: 2,
  },
  {
    name: 'a whole line',
    cents: 1500,
    refunds: { tracked: refundOf(3) },
    refundCents: 1400,
    left: [0, 2],
    restocked: 0,
  },
  {
    name: 'everything',
    cents: 2900,
    refunds: { tracked: refundOf(3), untracked: refundOf(2) },
    refundCents: 0,
    left: [0, 0],
    restocked: 0,
  },
  {
    name: 'a refund that the provider rejected',
    cents: 0,
    refunds: { tracked: refundOf(2, { failedAt: at }) },
    refundCents: 2900,
    left: [3, 2],
    restocked: 3,
  },
  // Its money is still to refund, its units are back in stock.
  {
    name: 'a refund with a restock that the provider rejected',
    cents: 0,
    refunds: { tracked: refundOf(2, { restocked: 2, failedAt: at }) },
    refundCents: 2900,
    left: [1, 2],
    restocked: 1,
  },
]

describe('cancelling refunds and restocks what earlier refunds left', () => {
  test.each(cases)('$name', ({ cents, refunds, refundCents, left, restocked }) => {
    const cancellation = computeCancellation(order, {
      refundedCents: cents,
      lineRefunds: new Map(Object.entries(refunds)),
    })
    expect(cancellation.refundCents).toBe(refundCents)
    expect(cancellation.restockedUnits).toBe(restocked)
    expect(cancellation.lines.every((line) => line.quantity > 0 && !('lots' in line))).toBe(true)
    const quantityOf = (id: string) => cancellation.lines.find((line) => line.id === id)?.quantity ?? 0
    expect(lines.map(({ id }) => quantityOf(id))).toEqual(left)
  })
})

test('nothing below zero is left to refund', () => {
  expect(leftToRefund(1000, 1000)).toBe(0)
  expect(leftToRefund(1000, 1200)).toBe(0)
})

test('units return to the lots that no earlier refund covers', () => {
  const lot = (lotId: string, quantity: number) => ({
    lotId,
    lotNumber: lotId,
    expiresOn: '2027-06-30',
    quantity,
  })
  const line = { id: 'line', quantity: 5, isTracked: true, lots: [lot('a', 2), lot('b', 2)] }
  const { lines } = computeCancellation(
    { capturedCents: 500, lines: [line] },
    { refundedCents: 100, lineRefunds: new Map([['line', refundOf(1)]]) },
  )
  expect(lines).toEqual([{ ...line, quantity: 4, positions: [1, 2, 3, 4], lots: [lot('a', 1), lot('b', 2)] }])
})
