import { shownSales, toLotHistory, type LotEvent } from '#domain/inventory/lot-history.ts'
import type { TransactionType } from '#domain/inventory/inventory.ts'
import { expect, test } from 'vitest'

const change = (at: number, type: TransactionType, units: number, lotId = 'a') => ({
  id: `${type} ${at}`,
  at,
  recordedAt: at,
  type,
  notes: null,
  lots: [{ lotId, change: units }],
})
const event = (at: number, action: LotEvent['action'], quantity: number | null = null): LotEvent => ({
  id: `${action} ${at}`,
  action,
  reason: null,
  actorId: null,
  at: new Date(at),
  quantity,
})
const idsOf = (...input: Parameters<typeof toLotHistory>) => toLotHistory(...input).rows.map(({ id }) => id)

test('a lot that was recalled when it was received has its receipt below its quarantine', () => {
  const changes = [change(5, 'adjustment', -9), change(5, 'adjustment', 9)]
  const { rows } = toLotHistory('a', [event(5, 'quarantined')], changes)
  expect(rows).toMatchObject([
    { id: 'quarantined 5', units: 9 },
    { kind: 'change', change: 9 },
  ])
})

test('changes of other lots are left out, and an action without a row of the ledger stays', () => {
  const changes = [change(4, 'sale', -1, 'b'), change(2, 'purchase', 3)]
  expect(idsOf('a', [event(6, 'written-off', 2), event(3, 'expired')], changes)).toEqual([
    'written-off 6',
    'expired 3',
    'purchase 2',
  ])
})

test('a unit returned to an expired lot is not the expiry', () => {
  const changes = [change(8, 'expired', -1), change(8, 'cancellation', 1), change(4, 'expired', -3)]
  const { rows } = toLotHistory('a', [event(4, 'expired')], changes)
  expect(rows.map(({ id }) => id)).toEqual(['expired 8', 'cancellation 8', 'expired 4'])
  expect(rows[2]).toMatchObject({ kind: 'action', units: 3 })
})

test('an action finds its row of the ledger although another clock put that later', () => {
  const { rows } = toLotHistory('a', [event(4, 'expired')], [{ ...change(9, 'expired', -3), recordedAt: 4 }])
  expect(rows).toMatchObject([{ kind: 'action', units: 3, at: new Date(9).toISOString() }])
})

test('many sales are summed, and the receipt before them is shown', () => {
  const sales = Array.from({ length: shownSales + 3 }, (_, i) => change(1000 - i, 'sale', -2))
  const { rows, earlierSales } = toLotHistory('a', [], [...sales, change(1, 'purchase', 500)])
  expect(rows).toHaveLength(shownSales + 1)
  expect(rows.at(-1)).toMatchObject({ type: 'purchase', change: 500 })
  expect(earlierSales).toEqual({ count: 3, change: -6 })
})
