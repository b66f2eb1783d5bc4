import { LotHistory } from '#app/routes/admin/inventory/LotHistory.tsx'
import { newId } from '#domain/ids.ts'
import type { LotHistoryView } from '#server/inventory/read-lot-history.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'

const shown = (history: Partial<LotHistoryView>): string => {
  const whole = { rows: [], earlierSales: { count: 0, change: 0 }, isCut: false, ...history }
  const element = <LotHistory history={whole} variantId={newId()} />
  const page = renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />)
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

test.each([
  [{ count: 2, change: 0 }, '2 earlier sales and cancellations: 0 units in all.'],
  [{ count: 1, change: -1 }, '1 earlier sale or cancellation: \u22121 unit in all.'],
  [{ count: 1200, change: -3400 }, '1,200 earlier sales and cancellations: \u22123,400 units in all.'],
  [{ count: 3, change: 5 }, '3 earlier sales and cancellations: +5 units in all.'],
])('%j of a lot are one sentence', (earlierSales, sentence) => {
  expect(shown({ earlierSales })).toContain(sentence)
})

test('a history that is not read to its start says so', () => {
  expect(shown({})).not.toContain('latest')
  expect(shown({ isCut: true })).toContain('latest 10,000 stock changes')
})
