import { computeCancellation, leftToRefund } from '#domain/orders/cancellation.ts'
import { describe, expect, test } from 'vitest'

const lines = [
  { id: 'tracked', quantity: 3, isTracked: true },
  { id: 'untracked', quantity: 2, isTracked: false },
]
const order = { capturedCents: 2900, lines }

const cases = [
  { name: 'no earlier refund', cents: 0, units: {}, refundCents: 2900, left: [3, 2], restocked: 3 },
  {
    name: 'one unit of each line',
    cents: 1200,
    units: { tracked: 1, untracked: 1 },
    refundCents: 1700,
    left: [2, 1],
    restocked: 2,
  },
  {
    name: 'a whole line',
    cents: 1500,
    units: { tracked: 3 },
    refundCents: 1400,
    left: [0, 2],
    restocked: 0,
  },
  {
    name: 'everything',
    cents: 2900,
    units: { tracked: 3, untracked: 2 },
    refundCents: 0,
    left: [0, 0],
    restocked: 0,
  },
  // Its money is still to refund, its units were dealt with when it was requested.
  {
    name: 'a refund that the provider refused',
    cents: 0,
    units: { tracked: 2 },
    refundCents: 2900,
    left: [1, 2],
    restocked: 1,
  },
]

describe('cancelling refunds and restocks what earlier refunds left', () => {
  test.each(cases)('$name', ({ cents, units, refundCents, left, restocked }) => {
    const cancellation = computeCancellation(order, {
      refundedCents: cents,
      units: new Map(Object.entries(units)),
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
    { refundedCents: 100, units: new Map([['line', 1]]) },
  )
  expect(lines).toEqual([{ ...line, quantity: 4, positions: [1, 2, 3, 4], lots: [lot('a', 1), lot('b', 2)] }])
})
