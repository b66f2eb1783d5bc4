import { LotProblems } from '#app/routes/admin/orders/LotProblems.tsx'
import { PackingSlip } from '#app/routes/admin/orders/PackingSlip.tsx'
import type { PackedLine } from '#domain/orders/packages.ts'
import { newId } from '#domain/ids.ts'
import { toPlainText } from '#tests/support/page-text.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'

const shown = (element: ReactElement): string =>
  toPlainText(renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />))

const early = { message: 'Lot A expires too soon.', isBlocking: false }
const held = { message: 'Lot B is in quarantine.', isBlocking: true }

test.each([
  [[early], 'A lot in this order expires before delivery Lot A expires too soon.'],
  [[early, held], 'A lot keeps this order from shipping Lot A expires too soon. Lot B is in quarantine.'],
  [[early, early], 'A lot in this order expires before delivery Lot A expires too soon.'],
  [[], ''],
])('the order says of the lots %j: %s', (problems, text) => {
  expect(shown(<LotProblems orderId={newId()} problems={problems} />)).toBe(text)
})

const line: PackedLine = {
  id: newId(),
  product: { id: newId(), name: 'Ibuprofen', category: 'OTC' },
  variant: {
    brandName: null,
    strength: '200',
    strengthUnit: 'mg',
    dosageForm: 'tablet',
    formDetail: '',
    packageSize: 24,
    packageUnit: 'tablet',
  },
  quantity: 2,
  lots: [],
  enclosures: [],
  problem: null,
  pack: null,
  warning: null,
}

test('the packing slip counts a line with a warning, and says what to check first', () => {
  const slip = {
    orderId: newId(),
    fromLines: [],
    toLines: [],
    carrier: null,
    trackingNumber: null,
    placedAt: '2026-01-05T09:00:00Z',
  }
  const read = (packed: Partial<PackedLine>): string =>
    shown(<PackingSlip slip={{ ...slip, lines: [{ ...line, ...packed }] }} paper="a4" />)
  expect(read({ warning: early.message })).toMatch(/Check first: Lot A expires too soon\.[^]*2 items in this/)
  expect(read({ problem: held.message })).toMatch(/Don’t pack: Lot B is in quarantine\.[^]*0 items in this/)
  expect(read({})).not.toMatch(/Check first|Don’t pack/)
  // The customer gets the printed page.
  const html = renderToStaticMarkup(
    <PackingSlip slip={{ ...slip, lines: [{ ...line, warning: early.message }] }} paper="a4" />,
  )
  expect(html).toMatch(/<b class="[^"]*print:hidden[^"]*">Check first/)
})
