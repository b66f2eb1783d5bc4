import { decideAttempt, decideDisabling, maxAttempts, pauseAfter } from '#domain/webhooks/retry-schedule.ts'
import { statusEvents, wantsEvent } from '#domain/webhooks/webhook-events.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-01-05T12:00:00Z')
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3600_000)
const middle = (): number => 0.5
const attempt = (overrides: Partial<Parameters<typeof decideAttempt>[0]>) =>
  decideAttempt({ status: 500, attempts: 1, now, ...overrides }, middle)

test('ten tries are spread over a day, with jitter', () => {
  const pauses = Array.from({ length: maxAttempts - 1 }, (_, i) => pauseAfter(i + 1, middle) / 1000)
  expect(pauses.slice(0, 4)).toEqual([35, 87.5, 218.75, 546.875])
  const hours = pauses.reduce((a, b) => a + b, 0) / 3600
  expect(hours).toBeGreaterThan(24)
  expect(hours).toBeLessThan(26)
  expect([pauseAfter(1, () => 0), pauseAfter(1, () => 1)]).toEqual([31_500, 38_500])
})

test('any 2xx delivers; a redirect, an error and no reply are tried again', () => {
  for (const status of [200, 202, 204])
    expect(attempt({ status })).toEqual({ state: 'delivered', nextAt: null })
  for (const status of [302, 400, 500, null])
    expect(attempt({ status })).toEqual({ state: 'pending', nextAt: new Date(now.getTime() + 35_000) })
})

test('the last failed try gives up; 410 and five days of failures disable the endpoint', () => {
  expect(attempt({ attempts: maxAttempts - 1 }).state).toBe('pending')
  expect(attempt({ attempts: maxAttempts })).toEqual({ state: 'failed', nextAt: null })
  expect(attempt({ status: 410 })).toEqual({ state: 'failed', nextAt: null })
  const disabling = (status: number, failingSince: Date | null) =>
    decideDisabling({ status, failingSince, now })
  expect(disabling(410, now)).toBe('removed')
  expect(disabling(500, hoursAgo(119))).toBeNull()
  expect(disabling(500, hoursAgo(120))).toBe('failing')
  expect(disabling(200, null)).toBeNull()
})

test('no endpoint gets events of orders and of stock, and shipping is an event of its own', () => {
  for (const topic of ['orders', 'shipments'] as const) expect(wantsEvent(topic, 'stock.changed')).toBe(false)
  expect(wantsEvent('stock', 'order.created')).toBe(false)
  expect(wantsEvent('shipments', 'order.status_changed')).toBe(false)
  const types = (status: 'shipped' | 'delivered') =>
    statusEvents({ orderId: 'o', status, previousStatus: 'processing' }).map(({ type }) => type)
  expect(types('shipped')).toEqual(['order.status_changed', 'order.shipped'])
  expect(types('delivered')).toEqual(['order.status_changed'])
})
