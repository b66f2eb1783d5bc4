import {
  getOrderBadge,
  canCancel,
  hasShipped,
  orderStatuses,
  statusTransition,
  buildTimeline,
  needsClearance,
} from '#domain/orders/order-status.ts'
import { expect, test } from 'vitest'

test('every status has its documented color in any case; unknown ones are gray', () => {
  const colorsOf = (words: string[]) =>
    words.map((word) => [getOrderBadge(word).label, getOrderBadge(word).color])
  expect(colorsOf(['pending', 'Processing', 'SHIPPED', ' delivered ', 'Cancelled'])).toEqual([
    ['Pending', 'yellow'],
    ['Processing', 'blue'],
    ['Shipped', 'purple'],
    ['Delivered', 'green'],
    ['Cancelled', 'red'],
  ])
  expect(colorsOf(['Sent to Vendor', 'sent to vendor', 'Fulfilled', 'fulfilled', 'on hold'])).toEqual([
    ['Sent to Vendor', 'gray'],
    ['Sent to Vendor', 'gray'],
    ['Fulfilled', 'gray'],
    ['Fulfilled', 'gray'],
    ['On Hold', 'gray'],
  ])
})

test('cancelling before shipment refunds and is final', () => {
  expect(orderStatuses.filter(canCancel)).toEqual(['pending', 'processing'])
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      const transition = statusTransition({ status: from, isCancelledBeforeShipment: false }, to)
      const cancels = to === 'cancelled' && canCancel(from)
      expect(transition, `${from} to ${to}`).toBe(from === to ? 'none' : cancels ? 'cancel' : 'update')
    }
    expect(statusTransition({ status: 'cancelled', isCancelledBeforeShipment: true }, from)).toBe(
      from === 'cancelled' ? 'none' : 'rejected',
    )
  }
})

const [placed, packed, shippedAt, deliveredAt] = ['01', '02', '03', '04'].map(
  (day) => `2026-01-${day}T00:00:00.000Z`,
)
const createdAt = placed ?? ''
const timeline = (...args: Parameters<typeof buildTimeline>) =>
  buildTimeline(...args).map(({ status, state, at }) => [status, state, at?.slice(8, 10) ?? null])

test('a timeline has the reached steps with their dates, and the upcoming ones', () => {
  expect(timeline({ status: 'processing', createdAt }, [])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'current', '01'],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  expect(timeline({ status: 'pending', createdAt }, [{ status: 'pending', at: packed ?? '' }])).toEqual([
    ['placed', 'current', '01'],
    ['processing', 'upcoming', null],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  const events = [
    { status: 'shipped', at: shippedAt ?? '' },
    { status: 'delivered', at: deliveredAt ?? '' },
  ] as const
  expect(timeline({ status: 'delivered', createdAt }, events)).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['shipped', 'done', '03'],
    ['delivered', 'current', '04'],
  ])
})

test('a reverted status is upcoming again, and a skipped one has no date', () => {
  const reverted = [
    { status: 'shipped', at: packed ?? '' },
    { status: 'processing', at: shippedAt ?? '' },
  ] as const
  expect(timeline({ status: 'processing', createdAt }, reverted)).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'current', '03'],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  expect(
    timeline({ status: 'delivered', createdAt }, [{ status: 'delivered', at: deliveredAt ?? '' }])[2],
  ).toEqual(['shipped', 'done', null])
})

test('a cancelled order’s timeline ends after the steps it had reached', () => {
  const cancelled = { status: 'cancelled', at: deliveredAt ?? '' } as const
  expect(timeline({ status: 'cancelled', createdAt }, [cancelled])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['cancelled', 'current', '04'],
  ])
  const shipped = { status: 'shipped', at: shippedAt ?? '' } as const
  expect(timeline({ status: 'cancelled', createdAt }, [shipped, cancelled])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['shipped', 'done', '03'],
    ['cancelled', 'current', '04'],
  ])
})

test('only what leaves the pharmacy needs a clearance', () => {
  expect(orderStatuses.filter(needsClearance)).toEqual(['shipped', 'delivered'])
})

test('an order has shipped unless it can be cancelled or was cancelled before', () => {
  const shipped = (isCancelledBeforeShipment: boolean) =>
    orderStatuses.filter((status) => hasShipped({ status, isCancelledBeforeShipment }))
  // Staff cancel an order after shipment without a refund: it stays shipped.
  expect(shipped(false)).toEqual(['shipped', 'delivered', 'cancelled'])
  expect(shipped(true)).toEqual([])
})

test('a status that is never stored has the icon of a package, and small words stay small', () => {
  expect(getOrderBadge('  out of stock AND gone ')).toEqual({
    label: 'Out of Stock and Gone',
    color: 'gray',
    icon: 'package',
  })
})

test('each step has its label', () => {
  const steps = buildTimeline({ status: 'cancelled', createdAt }, [])
  expect(steps.map(({ label }) => label)).toEqual(['Placed', 'Processing', 'Cancelled'])
})
