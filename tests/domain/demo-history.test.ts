import { historyOrders, planHistory, type HistoryStep } from '#server/demo/history/plan-history.ts'
import { people } from '#server/demo/history/people.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-11-23T16:00:00Z')
const dayMs = 24 * 3600 * 1000
const ordersOf = (steps: readonly HistoryStep[]) => steps.filter(({ kind }) => kind === 'order')

test('the demo’s past is the same for the same time, and moves with the day', () => {
  expect(planHistory(now)).toEqual(planHistory(now))
  const later = planHistory(new Date(now.getTime() + 30 * dayMs))
  expect(later.at(-1)?.at.getTime()).toBeGreaterThan(now.getTime() + 29 * dayMs)
})

test('the demo’s past has 60 customers, 400 orders, a weekly rhythm and growth', () => {
  const steps = planHistory(now)
  expect(new Set(people.map(({ email }) => email)).size).toBe(60)
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
  const times = ordersOf(steps).map(({ at }) => at)
  // Those of the last hours are still to come.
  expect(times.length).toBeGreaterThan(historyOrders - 10)
  expect(times.length).toBeLessThanOrEqual(historyOrders)
  const countOn = (days: readonly number[]) => times.filter((at) => days.includes(at.getUTCDay())).length
  expect(countOn([0, 6]) / 2).toBeLessThan((countOn([1, 2, 3, 4, 5]) / 5) * 0.8)
  const middle = now.getTime() - 60 * dayMs
  const [first, second] = [
    times.filter((at) => at.getTime() < middle),
    times.filter((at) => at.getTime() >= middle),
  ]
  expect(second.length).toBeGreaterThan(first.length * 1.2)
})

test('nothing in the demo’s past is in the future or before what it follows', () => {
  const steps = planHistory(now)
  expect(Math.max(...steps.map(({ at }) => at.getTime()))).toBeLessThan(now.getTime())
  const placed = new Map(steps.flatMap((step) => (step.kind === 'order' ? [[step.order, step.at]] : [])))
  const joined = new Map(steps.flatMap((step) => (step.kind === 'join' ? [[step.person, step.at]] : [])))
  for (const step of steps) {
    if ('order' in step)
      expect(step.at.getTime()).toBeGreaterThanOrEqual(placed.get(step.order)?.getTime() ?? Infinity)
    if ('person' in step)
      expect(step.at.getTime()).toBeGreaterThanOrEqual(joined.get(step.person)?.getTime() ?? Infinity)
  }
})
