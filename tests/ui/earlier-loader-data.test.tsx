import { newQueryClient, newTrpcClient, trpc } from '#app/http/trpc.ts'
import LabelPage from '#app/routes/admin/dispensing/label.tsx'
import OrderPage from '#app/routes/admin/orders/order.tsx'
import RecordRecallPage from '#app/routes/admin/screening/record-recall.tsx'
import ContactPage from '#app/routes/content/contact.tsx'
import OrderHistoryPage from '#app/routes/orders/order-history.tsx'
import OrdersPage from '#app/routes/orders/orders.tsx'
import { RefusedItems } from '#app/routes/orders/RefusedItems.tsx'
import { orderReply } from '#app/http/order-reply.server.ts'
import PrescriptionUploadPage from '#app/routes/prescriptions/prescription-upload.tsx'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeRxOrder } from '#tests/support/orders.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'

type StubPage = NonNullable<Parameters<typeof createRoutesStub>[0][number]['Component']>

/** A page of the back office with what its loader returned. */
function renderPage(page: StubPage, loaderData: object): string {
  const queryClient = newQueryClient()
  const Stub = createRoutesStub([{ path: '/', id: 'page', Component: page, loader: () => loaderData }])
  return renderToStaticMarkup(
    <trpc.Provider client={newTrpcClient()} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Stub hydrationData={{ loaderData: { page: loaderData } }} />
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

// During a deploy, a page of this release can get what a server of the release before answers.
test('the contact form without an order’s number starts empty', () => {
  const support = { email: 'help@example.com', phone: '+1 555 0100' }
  const page = renderPage(ContactPage, {
    support,
    maxMessage: 2000,
    token: '',
    isSent: false,
    outboxHref: null,
  })
  expect(page).toContain('Write to us')
  expect(page).not.toContain('About order')
})

test('the prescription upload without the way to the ID document leads to the profile', () => {
  const earlier = { userId: '', hasIdDocument: false, formId: '', patients: [] }
  expect(renderPage(PrescriptionUploadPage, earlier)).toContain('href="/profile#id-document-verification"')
})

test('a recall that is recorded again starts with the fields, which had no packages beside them', () => {
  const recorded = { firm: 'Acme Generics', reference: 'Fax of May 2', products: 'DIN 02223562' }
  const earlier = { requestKey: '', today: '2026-05-03', needsCode: false, recorded }
  const page = renderPage(RecordRecallPage, earlier)
  expect(page).toContain('value="Acme Generics"')
  expect(page).toContain('DIN 02223562</textarea>')
})

eachEngine((_engine, openDb) => {
  test('an order without draft labels and a warning about its destination is shown', async () => {
    const db = await openDb()
    const { order } = await placeRxOrder(db, await makeUser(db))
    const { destinationWarning: _, ...earlier } = await getAdminOrder(asAdmin(db), order.id)
    const page = renderPage(OrderPage, { order: earlier, choice: null })
    expect(page).toContain('Items')
    expect(page).not.toContain('destination')
  })

  test('orders without the people that their items are for are shown', async () => {
    const db = await openDb()
    const { order } = await placeRxOrder(db, await makeUser(db))
    const reply = orderReply(order)
    const earlier = { orders: [reply], refundedUnits: {}, page: 1, pages: 1 }
    const [name = ''] = reply.items.map(({ product }) => product.name)
    for (const page of [OrdersPage, OrderHistoryPage]) expect(renderPage(page, earlier)).toContain(name)
    const refused = reply.items.map((item) => ({ ...item, refusedAt: reply.createdAt, reason: 'Unclear' }))
    const removed = <RefusedItems items={refused} offered={[]} />
    expect(renderPage(() => removed, {})).toContain('Unclear')
  })

  test('a label without a warning about its quantity shows none', async () => {
    const db = await openDb()
    const { order } = await placeRxOrder(db, await makeUser(db))
    await markCleared(db, order.id)
    const line = { orderId: order.id, lineId: order.items[0]?.id ?? '' }
    const { supplyMismatch: _, ...earlier } = await getLabel(asAdmin(db), line)
    const page = renderPage(LabelPage, { view: { ...earlier, gaps: [], canEdit: false }, paper: 'label' })
    expect(page).toContain(earlier.label.rxNumber)
    expect(page).not.toContain('role="status"')
  })
})
