import { SentRecalls } from '#app/routes/admin/orders/SentRecalls.tsx'
import { OrderRecalls } from '#app/routes/orders/OrderRecalls.tsx'
import type { OrderRecall } from '#server/recalls/list-order-recalls.ts'
import { toPlainText } from '#tests/support/page-text.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'

const shown = (element: ReactElement): string =>
  toPlainText(renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />))

type Sent = Pick<OrderRecall, 'isSent' | 'sentLots' | 'returnedLots'>

const recallOf = (sent: Sent): OrderRecall => ({
  recallId: 'D-0001-2026',
  items: ['Ibuprofen, 200 mg'],
  notifiedAt: '2026-02-01T09:00:00Z',
  endedAt: null,
  report: {
    status: 'Ongoing',
    recallClass: 'II',
    reason: 'Contaminated',
    firm: 'Blu',
    reported: '2026-01-30',
    allLots: true,
    lots: [],
    lotNote: null,
    isRecorded: false,
    recordedAt: null,
  },
  ...sent,
})

const forStaff = (sent: Sent): string => {
  const { notifiedAt, isSent, ...details } = recallOf(sent)
  const recall = { notifiedAt, reached: 'waiting' as const, isSent, details: { ...details, canOpen: true } }
  return shown(<SentRecalls recalls={[recall]} />)
}

const sentTitle = 'Recalled after shipping. We notified the customer.'
const unsentTitle = 'We notified the customer of a recall.'

test.each<[string, Sent, string, string, string]>([
  [
    'was sent',
    { isSent: true, sentLots: ['A'], returnedLots: [] },
    sentTitle,
    'Sent from lot A. Recalled',
    'We sent you lot A.',
  ],
  [
    'was sent, from an unknown lot',
    { isSent: true, sentLots: [], returnedLots: [] },
    sentTitle,
    'We don’t know which lot we sent. Recalled',
    'All lots are recalled. If',
  ],
  [
    'was sent without a line that was refused',
    { isSent: true, sentLots: ['A'], returnedLots: ['B', 'C'] },
    sentTitle,
    'Sent from lot A. Refused after the first shipment: lots B, C. Recalled',
    'We sent you lot A. Your order also had lots B, C.',
  ],
  [
    'was set back or refused',
    { isSent: false, sentLots: [], returnedLots: ['B', 'C'] },
    unsentTitle,
    'From lots B, C. Recalled',
    'Your order had lots B, C.',
  ],
  [
    'was set back, from an unknown lot',
    { isSent: false, sentLots: [], returnedLots: [] },
    unsentTitle,
    'We don’t know the lot. Recalled',
    'All lots are recalled. If',
  ],
])('a recall of what %s says so', (_, sent, title, staffText, customerText) => {
  const staff = forStaff(sent)
  expect(staff).toContain(title)
  expect(staff).toContain(staffText)
  expect(shown(<OrderRecalls recalls={[recallOf(sent)]} />)).toContain(customerText)
})
