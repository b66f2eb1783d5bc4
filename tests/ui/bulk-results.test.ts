import { describeResults } from '#app/ui/data-grid/BulkBar.tsx'
import { expect, test } from 'vitest'

const row = { id: 'a', name: 'Order a', error: null, isChanged: true }
const failed = { ...row, error: 'This order was cancelled.', isChanged: false }
const unneeded = { ...row, isChanged: false }

test.each([
  [[row, row], '2 of 2 changed.'],
  [[row, failed], '1 of 2 changed.'],
  [[row, unneeded, failed], '1 of 3 changed. 1 needed no change.'],
  [[unneeded, unneeded], '0 of 2 changed. 2 needed no change.'],
])('results of a bulk change count only what was changed', (results, text) => {
  expect(describeResults(results)).toBe(text)
})
