import { orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { computeStatusChange, statusPermission, undoWindowMs } from '#domain/orders/status-change.ts'
import { expect, test } from 'vitest'

const change = (from: OrderStatus, to: OrderStatus, isCancelledBeforeShipment = false) =>
  computeStatusChange({ status: from, isCancelledBeforeShipment }, to)

test.each<[OrderStatus, OrderStatus, ReturnType<typeof change>]>([
  ['processing', 'shipped', { transition: 'update', emails: true, canUndo: true }],
  ['shipped', 'delivered', { transition: 'update', emails: true, canUndo: true }],
  ['processing', 'pending', { transition: 'update', emails: false, canUndo: true }],
  ['processing', 'cancelled', { transition: 'cancel', emails: true, canUndo: false }],
  ['shipped', 'cancelled', { transition: 'update', emails: true, canUndo: true }],
  ['shipped', 'shipped', { transition: 'none', emails: false, canUndo: false }],
])('from %s to %s', (from, to, expected) => {
  expect(change(from, to)).toEqual(expected)
})

test('an order that was cancelled before shipment keeps its status, and no email is sent', () => {
  for (const to of orderStatuses.filter((status) => status !== 'cancelled'))
    expect(change('cancelled', to, true), to).toEqual({
      transition: 'rejected',
      emails: false,
      canUndo: false,
    })
})

test('the permission to refund sets an order to cancelled, and that to ship sets any other status', () => {
  expect(orderStatuses.map((status) => [status, statusPermission(status)])).toEqual([
    ['pending', 'orders.ship'],
    ['processing', 'orders.ship'],
    ['shipped', 'orders.ship'],
    ['delivered', 'orders.ship'],
    ['cancelled', 'refunds.create'],
  ])
})

test('the email waits 12 seconds, and a second longer for each 25 further orders', () => {
  expect([1, 25, 26, 50, 51, 1000].map(undoWindowMs)).toEqual([
    12_000, 12_000, 13_000, 13_000, 14_000, 51_000,
  ])
})
