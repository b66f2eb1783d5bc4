import { addRequest, isEntryPending, newestRequest, settleRequests } from '#app/ui/data-grid/grid-requests.ts'
import { expect, onTestFinished, test } from 'vitest'

const ask = (key: string, replace = false) =>
  addRequest({ pathname: '/admin/inventory', params: { key }, key, replace })

test('a navigation that finishes late ends its own request and not a newer one', () => {
  onTestFinished(() => settleRequests({}, 'elsewhere'))
  ask('show=all')
  ask('show=all&q=naproxen', true)
  expect(isEntryPending()).toBe(true)
  const location = {}
  settleRequests(location, 'show=all')
  expect(newestRequest()?.key).toBe('show=all&q=naproxen')
  expect(isEntryPending()).toBe(false)
  // The page's second grid reports the same location.
  settleRequests(location, 'show=all')
  expect(newestRequest()?.key).toBe('show=all&q=naproxen')
  settleRequests({}, 'show=all&q=naproxen')
  expect(newestRequest()).toBeNull()
})

test('a newer request overtakes an older one, and the back button ends all of them', () => {
  onTestFinished(() => settleRequests({}, 'elsewhere'))
  ask('a')
  ask('b')
  settleRequests({}, 'b')
  expect(newestRequest()).toBeNull()
  ask('c')
  settleRequests({}, 'a')
  expect(newestRequest()).toBeNull()
})
