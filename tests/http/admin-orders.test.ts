import { adminPaths } from '#domain/admin-paths.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addCareLists } from '#tests/support/alerts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { addPharmacist, clearOrder } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'

const pageSchema = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      customerName: z.string(),
      status: z.string(),
      total: z.string(),
      prescription: z.string().nullable(),
    }),
  ),
  total: z.number(),
  next: z.string().nullable(),
})

async function adminClient(shop: Shop) {
  const id = await makeUser(shop.db, { isAdmin: true, firstName: 'Amara', lastName: 'Okafor' })
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  const call = (path: string, input: unknown) => callProcedure(visitor, shop.origin, `orders.${path}`, input)
  return {
    id,
    visitor,
    call,
    list: async (input: unknown) => pageSchema.parse(await resultOf(await call('list', input))),
    read: async (id: string) => resultOf(await call('get', { id })),
  }
}

const customer = (shop: Shop, firstName: string, email: string) =>
  makeUser(shop.db, { firstName, lastName: 'Quill', email })

const textOf = async (visitor: Visitor, path: string): Promise<string> =>
  readMain(await (await visitor.get(path)).text())

const textIn = async (response: Response): Promise<string> => readMain(await response.text())

const ids = (page: z.infer<typeof pageSchema>): string[] => page.rows.map(({ id }) => id)

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('a prescription line links to its label unless all of it was refunded before it shipped', async () => {
    const shop = await openShop()
    const { ctx, order, rxLine } = await placeHeldOrder(shop.db)
    await clearOrder(shop.db, order.id)
    await runMoneyJobs(ctx)
    const pharmacist = shop.visit()
    await signInAs(pharmacist, shop.db, await makeUser(shop.db, { roles: ['pharmacist'] }))
    const pages = [adminPaths.order(order.id), adminPaths.prescriptionsWith({ id: order.id })]
    const label = adminPaths.label(order.id, rxLine.id)
    const readLinks = () =>
      Promise.all(pages.map(async (path) => (await (await pharmacist.get(path)).text()).includes(label)))
    const refundOne = () =>
      refundOrder(asAdmin(shop.db), {
        id: order.id,
        key: randomUUID(),
        lines: [{ lineId: rxLine.id, quantity: 1, restock: true }],
      })
    await refundOne()
    expect(await readLinks()).toEqual([true, true])
    expect((await pharmacist.get(label)).status).toBe(200)
    await refundOne()
    expect(await readLinks()).toEqual([false, false])
    const none = await pharmacist.get(label)
    expect([none.status, await textIn(none)]).toEqual([
      409,
      expect.stringContaining('No units of this line are left to ship, so it has no label.'),
    ])
  })

  test('a label that a colleague changed meanwhile is refused once, and shows what is stored beside what was typed', async () => {
    const shop = await openShop()
    const { ctx, order, rxLine } = await placeHeldOrder(shop.db)
    await clearOrder(shop.db, order.id)
    await runMoneyJobs(ctx)
    const { user } = await addPharmacist(shop.db)
    const pharmacist = shop.visit()
    await signInAs(pharmacist, shop.db, user?.id ?? '')
    const path = adminPaths.label(order.id, rxLine.id)
    const first = { version: '0', storage: 'room', lot: 'LOT-7', 'warn-swallow-whole': 'on' }
    expect((await pharmacist.post(path, first)).status).toBe(303)

    const typed = { version: '0', storage: 'refrigerator', lot: 'LOT-7', 'warn-plenty-of-water': 'on' }
    const refused = await pharmacist.post(path, typed)
    const html = await refused.text()
    const page = readMain(html)
    expect(refused.status).toBe(409)
    expect(page).toContain('A colleague changed this label after you opened it. Check it and save again.')
    expect(page).toMatch(/Saved label .* Saving replaces these differences\./)
    expect(page).toMatch(/wallow .* Stored: Yes Your form: No/)
    expect(page).toMatch(/Storage Stored: Store at room temperature, .* Your form: Store in a refrigerator/)
    expect(page).not.toMatch(/Lot Stored/)
    expect(html).toMatch(/name="version" value="1"/)
    expect((await pharmacist.post(path, { ...typed, version: '1' })).status).toBe(303)
    expect(await textOf(pharmacist, path)).not.toContain('Saved label')
  })

  test('staff who may not see medicines tell prescription lines apart, and read the delivery date in words', async () => {
    const shop = await openShop()
    const { order } = await placeHeldOrder(shop.db)
    await shop.db.updateTable('orders').set({ estimatedDelivery: '2026-12-22' }).execute()
    const support = shop.visit()
    await signInAs(support, shop.db, await makeUser(shop.db, { roles: ['support'] }))
    const page = await textOf(support, adminPaths.order(order.id))
    expect(page).toContain('Prescription medicine, line 1 Rx')
    expect(page).toContain('Estimated delivery Dec 22, 2026')
    expect(page).not.toContain('2026-12-22')
  })

  test('the list says which orders wait for a pharmacist, and which are cleared', async () => {
    const shop = await openShop()
    const { order } = await placeHeldOrder(shop.db)
    const fulfillment = shop.visit()
    await signInAs(fulfillment, shop.db, await makeUser(shop.db, { roles: ['fulfillment'] }))
    await shop.db.updateTable('prescriptions').set({ status: 'approved' }).execute()
    const readList = () => textOf(fulfillment, adminPaths.orders)
    expect(await readList()).toContain('Waiting for a pharmacist')
    await clearOrder(shop.db, order.id)
    expect(await readList()).toContain('Cleared')
    await shop.db.updateTable('orders').set({ status: 'cancelled' }).execute()
    expect(await readList()).toContain('Approved')
  })

  test('the list says which cleared orders wait for a second pharmacist, until they ship', async () => {
    const shop = await openShop()
    const { order } = await placeHeldOrder(shop.db)
    const admin = await adminClient(shop)
    const readList = () => textOf(admin.visitor, adminPaths.orders)
    await clearOrder(shop.db, order.id)
    const updatedAt = new Date()
    await shop.db
      .insertInto('settings')
      .values({ name: 'twoPharmacists', value: 'true', updatedAt })
      .execute()
    expect(await readList()).toContain('Waiting for a second pharmacist')
    await shop.db.updateTable('lineReviews').set({ checkedBy: admin.id, checkedAt: updatedAt }).execute()
    expect(await readList()).toContain('Cleared')
    await shop.db.updateTable('lineReviews').set({ checkedBy: null, checkedAt: null }).execute()
    await shop.db.updateTable('orders').set({ status: 'shipped' }).execute()
    expect(await readList()).not.toContain('Waiting')
  })

  test('a prescription line that was refunded in full leaves nothing to wait for in the list', async () => {
    const shop = await openShop()
    const { ctx, order, rxLine } = await placeHeldOrder(shop.db)
    const admin = await adminClient(shop)
    const readList = () => textOf(admin.visitor, adminPaths.orders)
    await clearOrder(shop.db, order.id)
    await runMoneyJobs(ctx)
    await shop.db.updateTable('lineReviews').set({ status: 'waiting' }).execute()
    const refund = async (quantity: number) =>
      resultOf(
        await admin.call('refund', {
          id: order.id,
          key: randomUUID(),
          lines: [{ lineId: rxLine.id, quantity, restock: false }],
        }),
      )
    await refund(1)
    expect(await readList()).toContain('Waiting for a pharmacist')
    await refund(1)
    expect(await readList()).not.toContain('Waiting')
  })

  test('each label on an order’s page has a name of its own', async () => {
    const shop = await openShop()
    const { ctx, order, rxLine } = await placeHeldOrder(shop.db)
    await clearOrder(shop.db, order.id)
    await runMoneyJobs(ctx)
    const pharmacist = shop.visit()
    await signInAs(pharmacist, shop.db, await makeUser(shop.db, { roles: ['pharmacist'] }))
    const page = await textOf(pharmacist, adminPaths.order(order.id))
    for (const name of [
      'Shipping label',
      `Label of ${rxLine.product.name}`,
      `Leaflet of ${rxLine.product.name}`,
    ])
      expect(page).toContain(name)
  })

  test('an order to a country that its pharmacy does not list has a warning until it ships', async () => {
    const shop = await openShop()
    const { id: adminId, visitor } = await adminClient(shop)
    const ben = await customer(shop, 'Benedict', 'ben@post.example')
    const warningOf = async (shipsTo: string) => {
      const pharmacyId = await addPharmacy(shop.db, { country: 'Canada', shipsTo: [shipsTo] })
      const productId = await addProduct(shop.db)
      await shop.db.updateTable('products').set({ pharmacyId }).where('id', '=', productId).execute()
      const variantId = await addVariant(shop.db, { productId })
      const { id } = await placeOrder(shop.db, ben, { items: [{ productVariantId: variantId, quantity: 1 }] })
      const readWarning = async () =>
        /No pharmacy ships this order .* Contact the customer first\./.exec(
          await textOf(visitor, adminPaths.order(id)),
        )?.[0]
      const before = await readWarning()
      const preview = await textOf(visitor, `${adminPaths.order(id)}?status=shipped`)
      expect(preview.includes(`No pharmacy ships order ${id.slice(-8)} to its destination.`)).toBe(
        before !== undefined,
      )
      const ctx = testContext(shop.db, { user: signedIn(adminId, { isAdmin: true }) })
      await setOrderStatus(ctx, id, { status: 'shipped' })
      return [before, await readWarning()]
    }
    expect(await warningOf('United States')).toEqual([undefined, undefined])
    const title = 'No pharmacy ships this order to its destination'
    expect(await warningOf('Canada')).toEqual([
      expect.stringMatching(
        new RegExp(`^${title} .* does not list the United States as a destination\\. Contact the customer`),
      ),
      undefined,
    ])
  })

  test('orders are found by a part of the id, the name and the address, by status and in any order', async () => {
    const shop = await openShop()
    const admin = await adminClient(shop)
    const [zoe, ben] = [
      await customer(shop, 'Zoë', 'zoe@mail.example'),
      await customer(shop, 'Benedict', 'ben@post.example'),
    ]
    const person = { lastName: 'Quill' }
    const variantId = await addVariant(shop.db, { priceCents: 700 })
    const of = (quantity: number) => [{ productVariantId: variantId, quantity }]
    const first = await placeOrder(shop.db, zoe, { user: { firstName: 'Zoë', ...person }, items: of(3) })
    const second = await placeOrder(shop.db, ben, {
      user: { firstName: 'Benedict', ...person },
      items: of(1),
    })
    const third = await placeOrder(shop.db, zoe, { user: { firstName: 'Zoë', ...person }, items: of(2) })
    await setOrderStatus(testContext(shop.db, { user: signedIn(admin.id, { isAdmin: true }) }), second.id, {
      status: 'shipped',
      trackingNumber: '1Z 999 AA1 0123456784',
    })
    const tracked = { trackingNumber: '9400 1118 9956 0000' }
    await setOrderStatus(
      testContext(shop.db, { user: signedIn(admin.id, { isAdmin: true }) }),
      first.id,
      tracked,
    )
    const newest = [third.id, second.id, first.id]
    expect(ids(await admin.list({}))).toEqual(newest)
    const bare = await admin.visitor.get('/trpc/orders.list')
    expect(ids(pageSchema.parse(await resultOf(bare)))).toEqual(newest)
    for (const [params, expected] of [
      [{ q: first.id }, [first.id]],
      [{ q: second.id.slice(-8) }, [second.id]],
      [{ q: `#${second.id.slice(-8).toUpperCase()}` }, [second.id]],
      [{ q: 'zoe' }, [third.id, first.id]],
      [{ q: 'bened quill' }, [second.id]],
      [{ q: 'zoe@mail.example' }, [third.id, first.id]],
      [{ q: 'quill', status: 'shipped' }, [second.id]],
      [{ q: 'zoe', status: 'shipped' }, []],
      [{ q: 'nobody' }, []],
      // A tracking number, in any case and with any spaces, but whole.
      [{ q: '1Z999AA10123456784' }, [second.id]],
      [{ q: ' 1z 999 aa1 01 2345 6784 ' }, [second.id]],
      [{ q: '1Z999AA10123456784', status: 'processing' }, []],
      [{ q: '1Z999AA1012345678' }, []],
      [{ q: '9400111899560000' }, [first.id]],
      [{ status: 'nonsense' }, newest],
      [{ sort: 'total', dir: 'asc' }, [second.id, third.id, first.id]],
      [{ sort: 'status', dir: 'desc', size: '50' }, [second.id, third.id, first.id]],
    ] as const) {
      expect(ids(await admin.list(params)), JSON.stringify(params)).toEqual(expected)
    }
    const looks = await shop.db
      .selectFrom('auditLog')
      .select(['subjectId'])
      .where('action', '=', 'orders.read')
      .where('actorId', '=', admin.id)
      .execute()
    expect(new Set(looks.map(({ subjectId }) => subjectId))).toEqual(new Set([zoe, ben]))
  })

  test('the page has the rows before scripts; a name is searched by POST and never in a URL', async () => {
    const shop = await openShop()
    const { visitor } = await adminClient(shop)
    expect(await textOf(visitor, '/admin/orders')).toContain('No orders yet')
    const [zoe, ben] = [
      await customer(shop, 'Zoë', 'zoe@mail.example'),
      await customer(shop, 'Benedict', 'ben@post.example'),
    ]
    const first = await placeOrder(shop.db, zoe, { user: { firstName: 'Zoë' } })
    const second = await placeOrder(shop.db, ben, { user: { firstName: 'Benedict' } })
    const all = await textOf(visitor, '/admin/orders')
    for (const { id } of [first, second]) expect(all).toContain(id.slice(-8))
    // A search in the URL is ignored.
    expect(await textOf(visitor, '/admin/orders?q=benedict')).toContain(first.id.slice(-8))
    const found = await visitor.post('/admin/orders', { q: 'benedict' })
    expect(found.status).toBe(200)
    const text = await found.text()
    expect(text).toContain(second.id.slice(-8))
    expect(mainOf(text)).not.toContain(first.id.slice(-8))
    expect(text).toMatch(
      /<form[^>]*role="search"[^>]*method="post"|<form[^>]*method="post"[^>]*role="search"/,
    )
    expect(text).toMatch(/<input[^>]*value="benedict"/)
  })

  test('a note whose response was lost is added once when it is sent again, after the ones before', async () => {
    const shop = await openShop()
    const admin = await adminClient(shop)
    const { id } = await placeOrder(shop.db, await customer(shop, 'Zoë', 'zoe@mail.example'))
    const note = (text: string, requestKey: string) => admin.call('addNote', { id, text, requestKey })
    const key = 'ffffffff-0000-4000-8000-000000000001'
    await resultOf(await note('Called the doctor.', key))
    const answers = await Promise.all([note('Called the doctor.', key), note('Called the doctor.', key)])
    await Promise.all(answers.map(resultOf))
    await resultOf(await note('She agrees.', '00000000-0000-4000-8000-000000000002'))
    const { notes } = (await admin.read(id)) as { notes: { text: string }[] }
    expect(notes.map(({ text }) => text)).toEqual(['Called the doctor.', 'She agrees.'])
    const audited = shop.db.selectFrom('auditLog').select('objectId').where('action', '=', 'order.noted')
    expect(await audited.execute()).toEqual([{ objectId: id }, { objectId: id }])
  })

  test('an order shows its customer, shipment, prescription, items, changes and notes, and who did what', async () => {
    const shop = await openShop()
    const admin = await adminClient(shop)
    const owner = await customer(shop, 'Zoë', 'zoe@mail.example')
    const { id: prescriptionId } = await addPrescription(shop.db, owner, { now: new Date() })
    const productId = await addProduct(shop.db, { name: 'Gabapentin', category: 'Rx' })
    const variantId = await addVariant(shop.db, { productId, priceCents: 1250 })
    const { id } = await placeOrder(shop.db, owner, {
      user: { firstName: 'Zoë', lastName: 'Quill', email: 'zoe@mail.example' },
      items: [{ productVariantId: variantId, quantity: 2 }],
      prescriptionId,
    })
    expect((await admin.list({})).rows[0]?.prescription).toBe('under_review')
    await resultOf(await admin.call('setStatus', { id, status: 'pending', expectedStatus: 'processing' }))
    await resultOf(await admin.call('addNote', { id, text: ' Called the doctor.\r\nWaits. ' }))
    expect(await errorOf(await admin.call('addNote', { id, text: ' ' }))).toMatchObject({
      status: 422,
      fields: { text: 'Enter a note.' },
    })
    expect(await admin.read(id)).toMatchObject({
      customerName: 'Zoë Quill',
      status: 'pending',
      total: '25.00',
      payment: { state: 'authorized', authorized: '25.00', captured: '0.00' },
      leftToRefund: '0.00',
      items: [{ quantity: 2, price: '12.50', product: { name: 'Gabapentin' } }],
      events: [{ status: 'pending', by: 'Amara Okafor' }],
      notes: [{ text: 'Called the doctor.\nWaits.', by: 'Amara Okafor' }],
      prescription: { status: 'under_review' },
    })
    const stored = await shop.db.selectFrom('orderNotes').select('sealedNote').executeTakeFirstOrThrow()
    expect(stored.sealedNote).toMatch(/^v1\./)
    const page = await textOf(admin.visitor, `/admin/orders/${id}`)
    for (const shown of [
      'Zoë Quill',
      'zoe@mail.example',
      '12 Harbour Lane',
      'Gabapentin',
      '$25.00',
      'Under review',
      'Called the doctor.',
      'Amara Okafor',
    ]) {
      expect(page).toContain(shown)
    }
    for (const missing of ['x', '019a7c1e-0000-7000-8000-000000000000']) {
      for (const path of [missing, `${missing}/packing-slip`, `${missing}/label`]) {
        const response = await admin.visitor.get(`/admin/orders/${path}`)
        expect([response.status, readMain(await response.text())]).toEqual([
          404,
          expect.stringContaining(
            'Error 404 Order not found Check the address. The entry may have been deleted. Dashboard',
          ),
        ])
      }
    }
  })

  test('the packing slip lists the items without prices; the label names no medicine', async () => {
    const shop = await openShop()
    const admin = await adminClient(shop)
    const owner = await customer(shop, 'Zoë', 'zoe@mail.example')
    const productId = await addProduct(shop.db, { name: 'Loratadine' })
    const variantId = await addVariant(shop.db, { productId, ndc: '24658-212-30' })
    const { id } = await placeOrder(shop.db, owner, { items: [{ productVariantId: variantId, quantity: 3 }] })
    const shown = { trackingNumber: null, carrier: null, estimatedDelivery: null }
    const { estimatedDelivery } = z.object({ estimatedDelivery: z.string() }).parse(await admin.read(id))
    const to = { trackingNumber: '1Z 999', carrier: 'UPS', estimatedDelivery }
    await resultOf(await admin.call('saveShipment', { id, expected: { ...shown, estimatedDelivery }, ...to }))
    const slip = await textOf(admin.visitor, `/admin/orders/${id}/packing-slip`)
    expect(slip).toContain('Loratadine')
    expect(slip).not.toContain('$')
    const page = await textOf(admin.visitor, `/admin/orders/${id}`)
    for (const text of [slip, page]) expect(text).toContain('NDC 24658-212-30')
    const label = await textOf(admin.visitor, `/admin/orders/${id}/label`)
    for (const shown of ['12 Harbour Lane', 'UPS', '1Z 999']) expect(label).toContain(shown)
    expect(label).not.toContain('Loratadine')

    // A typed shipment is validated like a saved one, and nothing is applied when it is refused.
    const ship = { id, status: 'shipped', expectedStatus: 'processing', expectedShipment: to, ...to }
    const wrong = await admin.call('setStatus', { ...ship, carrier: 'x'.repeat(101) })
    expect(await errorOf(wrong)).toMatchObject({
      status: 422,
      fields: { carrier: 'must have at most 100 characters.' },
    })
    expect(await admin.read(id)).toMatchObject({ status: 'processing', ...to })

    // An admin with the old values gets the conflict and overwrites nothing.
    const stale = { id, expected: { ...shown, estimatedDelivery }, ...to, carrier: 'DHL' }
    expect(await errorOf(await admin.call('saveShipment', stale))).toMatchObject({
      status: 409,
      current: to,
    })
    await resultOf(await admin.call('saveShipment', { ...stale, expected: to }))
    expect(await admin.read(id)).toMatchObject({ carrier: 'DHL' })
    expect(await errorOf(await admin.call('setStatus', { ...ship, carrier: 'UPS' }))).toMatchObject({
      status: 409,
      current: { ...to, carrier: 'DHL' },
    })
    await resultOf(
      await admin.call('setStatus', {
        ...ship,
        carrier: 'USPS',
        expectedShipment: { ...to, carrier: 'DHL' },
      }),
    )
    expect(await admin.read(id)).toMatchObject({ status: 'shipped', carrier: 'USPS' })
  })

  test('a status change requires the current status; a bulk change returns each result', async () => {
    const shop = await openShop()
    const admin = await adminClient(shop)
    const owner = await customer(shop, 'Zoë', 'zoe@mail.example')
    const variantId = await addVariant(shop.db, { stockQuantity: 100, priceCents: 500 })
    const items = [{ productVariantId: variantId, quantity: 2 }]
    const orders: string[] = []
    for (let i = 0; i < 5; i++) orders.push((await placeOrder(shop.db, owner, { items })).id)
    const [one = '', two = '', ...rest] = orders
    await resultOf(
      await admin.call('setStatus', { id: one, status: 'shipped', expectedStatus: 'processing' }),
    )
    expect(
      await errorOf(
        await admin.call('setStatus', { id: one, status: 'cancelled', expectedStatus: 'processing' }),
      ),
    ).toMatchObject({
      status: 409,
      message: 'Someone else set the status to Shipped.',
      current: 'shipped',
    })
    expect(
      await errorOf(await admin.call('setStatus', { id: one, status: 'x', expectedStatus: 'shipped' })),
    ).toMatchObject({ status: 422 })

    const target = { query: { status: 'processing' } }
    const preview = {
      changed: 4,
      emailed: 4,
      undoable: 0,
      cancelled: 4,
      refund: '40.00',
      voided: 0,
      restocked: 8,
    }
    const previewed = await resultOf(await admin.call('previewStatusChange', { target, status: 'cancelled' }))
    expect(previewed).toMatchObject({ ...preview, ids: [...rest.toReversed(), two] })
    expect(
      await resultOf(
        await admin.call('previewStatusChange', { target: { ids: orders }, status: 'cancelled' }),
      ),
    ).toMatchObject({ ...preview, changed: 5, emailed: 5, undoable: 1 })
    const missing = '019a7c1e-0000-7000-8000-000000000000'
    const named = [two, ...rest, missing, two]
    const results = await resultOf(await admin.call('setStatuses', { ids: named, status: 'cancelled' }))
    expect(results).toEqual(
      named.map((id) => ({
        id,
        error: id === missing ? 'Order not found' : null,
        changeId: null,
        isChanged: id !== missing,
      })),
    )
    expect(ids(await admin.list({ status: 'cancelled' })).toSorted()).toEqual([two, ...rest].toSorted())
    const { stockQuantity } = await shop.db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', variantId)
      .executeTakeFirstOrThrow()
    expect(stockQuantity).toBe(98)
    const again = await resultOf(await admin.call('setStatuses', { ids: [two], status: 'shipped' }))
    expect(again).toEqual([
      {
        id: two,
        error: 'This order was cancelled and refunded. It can’t be reopened.',
        changeId: null,
        isChanged: false,
      },
    ])
  })

  test('a shipping that a new alert refuses returns the line to the queue and links to its case', async () => {
    const { db, visit } = await openShop()
    const now = new Date()
    const { ctx, order } = await placeHeldOrder(db, { now })
    await clearOrder(db, order.id, { now })
    await runMoneyJobs(ctx)
    await db.updateTable('products').set({ ingredients: 'lisinopril' }).where('category', '=', 'Rx').execute()
    await addCareLists(db, now)
    await updateProfile(ctx, { currentMedications: 'Warfarin' })
    const [pharmacist, packer] = [visit(), visit()]
    await signInAs(pharmacist, db, await makeUser(db, { roles: ['pharmacist'] }))
    await signInAs(packer, db, await makeUser(db, { roles: ['fulfillment'] }))
    const path = adminPaths.order(order.id)
    const link = `href="${adminPaths.prescriptionsWith({ id: order.id })}"`
    const preview = await (await pharmacist.get(`${path}?status=shipped`)).text()
    expect(readMain(preview)).toMatch(
      /has a new alert .* Clicking Apply sends the line back to the pharmacists’ queue\./,
    )
    expect(preview).toContain(link)
    expect(await (await packer.get(`${path}?status=shipped`)).text()).not.toContain(link)

    const refused = await pharmacist.post(path, { status: 'shipped', expectedStatus: 'processing' })
    const page = await refused.text()
    expect([refused.status, readMain(page)]).toEqual([
      409,
      expect.stringContaining('The line is back in the pharmacists’ queue. Open the case'),
    ])
    expect(page).toContain(link)
    expect(await textOf(pharmacist, adminPaths.prescriptionsWith({ id: order.id }))).toContain(
      'Returned to the queue: a new alert kept it from shipping.',
    )
  })

  test('without scripts, a status is chosen, explained, applied and undone; bad choices say why', async () => {
    const shop = await openShop()
    await addPharmacy(shop.db, { country: 'United States', shipsTo: ['United States'] })
    const admin = await adminClient(shop)
    const owner = await customer(shop, 'Zoë', 'zoe@mail.example')
    const { id } = await placeOrder(shop.db, owner)
    const path = `/admin/orders/${id}`
    // The menu's button works, so screen readers must not hear that it does not.
    const served = await (await admin.visitor.get(path)).text()
    expect(served).toMatch(/<button[^>]*>Apply/)
    expect(served).not.toMatch(/aria-disabled[^>]*>Apply/)
    // The menu's form does not send what is typed about the shipment.
    expect(readMain(served)).not.toContain('saves what you typed here')
    const choice = await textOf(admin.visitor, `${path}?status=shipped`)
    expect(choice).toMatch(/Set the status from Processing to Shipped\? ?We’ll email the customer\./)
    expect(await textOf(admin.visitor, `${path}?status=nonsense`)).not.toContain('Set the status from')
    for (const [fields, status, message] of [
      [{}, 422, 'Choose a status.'],
      [{ status: 'x', expectedStatus: 'processing' }, 422, 'Choose a status.'],
      [{ status: 'shipped', expectedStatus: 'pending' }, 409, 'Someone else set the status to Processing.'],
      [{ intent: 'undo', changeId: 'x' }, 404, 'This change was not found.'],
    ] as const) {
      const refused = await admin.visitor.post(path, fields)
      expect([refused.status, await textIn(refused)]).toEqual([status, expect.stringContaining(message)])
    }
    const applied = await admin.visitor.post(path, { status: 'shipped', expectedStatus: 'processing' })
    expect([applied.status, applied.headers.get('location')]).toEqual([303, path])
    const page = await (await admin.visitor.get(path)).text()
    expect(readMain(page)).toContain('The status is now Shipped.')
    const changeId = /name="changeId" value="([^"]+)"/.exec(page)?.[1] ?? ''
    for (let times = 0; times < 2; times++) {
      expect((await admin.visitor.post(path, { intent: 'undo', changeId })).status).toBe(303)
    }
    expect(await admin.read(id)).toMatchObject({ status: 'processing', undo: null })
    expect(await textOf(admin.visitor, path)).toMatch(/Undone .*by Amara Okafor/)
  })
})
