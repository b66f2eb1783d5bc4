import { badgeOf, canCancel, orderStatuses, statusTransition, timelineOf } from '#domain/orders/order-status.ts'
import { expect, test } from 'vitest'

test('every status has its documented colour, however it is written, and what is never stored is grey', () => {
  const colours = (words: string[]) => words.map((word) => [badgeOf(word).label, badgeOf(word).color])
  expect(colours(['pending', 'Processing', 'SHIPPED', ' delivered ', 'Cancelled'])).toEqual([
    ['Pending', 'yellow'],
    ['Processing', 'blue'],
    ['Shipped', 'purple'],
    ['Delivered', 'green'],
    ['Cancelled', 'red'],
  ])
  expect(colours(['Sent to Vendor', 'sent to vendor', 'Fulfilled', 'fulfilled', 'on hold'])).toEqual([
    ['Sent to Vendor', 'gray'],
    ['Sent to Vendor', 'gray'],
    ['Fulfilled', 'gray'],
    ['Fulfilled', 'gray'],
    ['On Hold', 'gray'],
  ])
})

test('cancelling calls an order off while nothing has left; one that was called off is left by nothing', () => {
  expect(orderStatuses.filter(canCancel)).toEqual(['pending', 'processing'])
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      const move = statusTransition({ status: from, isCancelledBeforeShipment: false }, to)
      const callsOff = to === 'cancelled' && canCancel(from)
      expect(move, `${from} to ${to}`).toBe(from === to ? 'none' : callsOff ? 'cancel' : 'update')
    }
    expect(statusTransition({ status: 'cancelled', isCancelledBeforeShipment: true }, from)).toBe(
      from === 'cancelled' ? 'none' : 'rejected',
    )
  }
})

const [placed, packed, left, came] = ['01', '02', '03', '04'].map((day) => `2026-01-${day}T00:00:00.000Z`)
const createdAt = placed ?? ''
const way = (...said: Parameters<typeof timelineOf>) =>
  timelineOf(...said).map(({ status, state, at }) => [status, state, at?.slice(8, 10) ?? null])

test('an order’s way tells what it reached and when, and what is ahead', () => {
  expect(way({ status: 'processing', createdAt }, [])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'current', '01'],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  expect(way({ status: 'pending', createdAt }, [{ status: 'pending', at: packed ?? '' }])).toEqual([
    ['placed', 'current', '01'],
    ['processing', 'upcoming', null],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  const events = [
    { status: 'shipped', at: left ?? '' },
    { status: 'delivered', at: came ?? '' },
  ] as const
  expect(way({ status: 'delivered', createdAt }, events)).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['shipped', 'done', '03'],
    ['delivered', 'current', '04'],
  ])
})

test('a status that was taken back is ahead again, and what was skipped has no day', () => {
  const back = [
    { status: 'shipped', at: packed ?? '' },
    { status: 'processing', at: left ?? '' },
  ] as const
  expect(way({ status: 'processing', createdAt }, back)).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'current', '03'],
    ['shipped', 'upcoming', null],
    ['delivered', 'upcoming', null],
  ])
  expect(way({ status: 'delivered', createdAt }, [{ status: 'delivered', at: came ?? '' }])[2]).toEqual([
    'shipped',
    'done',
    null,
  ])
})

test('a cancelled order ends after what it had reached', () => {
  const cancelled = { status: 'cancelled', at: came ?? '' } as const
  expect(way({ status: 'cancelled', createdAt }, [cancelled])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['cancelled', 'current', '04'],
  ])
  const shipped = { status: 'shipped', at: left ?? '' } as const
  expect(way({ status: 'cancelled', createdAt }, [shipped, cancelled])).toEqual([
    ['placed', 'done', '01'],
    ['processing', 'done', '01'],
    ['shipped', 'done', '03'],
    ['cancelled', 'current', '04'],
  ])
})
