import { moveFills } from '#db/dispensing/fills.ts'
import { newId } from '#domain/ids.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { homeAddress, placeOrder } from '#tests/support/orders.ts'
import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { placeHeldOrder } from '#tests/support/payment-holds.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

type Person = Visitor & { id: string }

async function person(shop: Shop, options: { isAdmin?: boolean } = {}): Promise<Person> {
  const id = await makeUser(shop.db, { isAdmin: options.isAdmin ?? false })
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

const patch = (visitor: Visitor, id: string, body: unknown): Promise<Response> =>
  visitor.request(`/api/orders/${id}`, {
    method: 'PATCH',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const json = async (response: Promise<Response>): Promise<unknown> => (await response).json()

/** A branded over-the-counter medicine that the customer bought two units of. */
async function placeBranded(shop: Shop, userId: string) {
  const productId = await addProduct(shop.db, { name: 'Paracetamol <b>' })
  const variantId = await addVariant(shop.db, {
    productId,
    brandName: 'Panadol',
    strength: '500',
    strengthUnit: 'mg',
    dosageForm: 'tablet',
    packageSize: 24,
    packageUnit: 'tablet',
    priceCents: 1234,
  })
  const items = [{ productVariantId: variantId, quantity: 2 }]
  return { order: await placeOrder(shop.db, userId, { items }), productId, variantId }
}

const admin = async (shop: Shop, now = testDay) =>
  testContext(shop.db, {
    now,
    user: signedIn(await makeUser(shop.db, { isAdmin: true }), { isAdmin: true }),
  })

eachShop((openShopOf) => {
  const openShop = (options: Parameters<typeof openShopOf>[0] = {}) =>
    openShopOf({ catalog: 'empty', ...options })

  test('/api returns orders in the documented shape, single and in lists', async () => {
    const shop = await openShop()
    const [owner, staff] = [await person(shop), await person(shop, { isAdmin: true })]
    const { order, productId, variantId } = await placeBranded(shop, owner.id)
    const reply = {
      id: order.id,
      userId: owner.id,
      status: 'processing',
      total: '24.68',
      refunded: '0.00',
      shippingAddress: homeAddress,
      stripePaymentId: order.stripePaymentId,
      prescriptionId: null,
      trackingNumber: null,
      carrier: null,
      estimatedDelivery: '2026-01-14',
      createdAt: '2026-01-05T12:00:00.000Z',
      customerName: '',
      customerEmail: 'somebody@customer.example',
      items: [
        {
          id: order.items[0]?.id,
          productVariantId: variantId,
          quantity: 2,
          price: '12.34',
          product: { id: productId, name: 'Paracetamol <b>', category: 'OTC' },
          variant: {
            brandName: 'Panadol',
            strength: '500',
            strengthUnit: 'mg',
            dosageForm: 'tablet',
            formDetail: '',
            packageSize: 24,
            packageUnit: 'tablet',
          },
        },
      ],
      refusedItems: [],
    }
    for (const visitor of [owner, staff]) {
      const response = await visitor.get(`/api/orders/${order.id}`)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(await response.json()).toEqual(reply)
      expect(await json(visitor.get(`/api/orders/user/${owner.id}`))).toEqual([reply])
    }
    expect(await json(owner.get('/api/orders/user'))).toEqual([reply])
    expect(await json(staff.get('/api/orders/user'))).toEqual([])
    const all = await staff.get('/api/orders')
    expect([all.headers.get('content-type'), all.headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'private, no-store',
    ])
    expect(await all.json()).toEqual([reply])
    expect(await json(owner.get(`/api/prescriptions/order/${order.id}`))).toEqual([])
  })

  test('an order keeps its own copy of what was bought', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order, productId, variantId } = await placeBranded(shop, owner.id)
    const before = await json(owner.get(`/api/orders/${order.id}`))
    await shop.db
      .updateTable('products')
      .set({ name: 'Other', deletedAt: testDay })
      .where('id', '=', productId)
      .execute()
    await shop.db
      .updateTable('productVariants')
      .set({ strength: '1', priceCents: 1, deletedAt: testDay })
      .where('id', '=', variantId)
      .execute()
    expect(await json(owner.get(`/api/orders/${order.id}`))).toEqual(before)
    const html = await (await owner.get(`/orders/${order.id}`)).text()
    expect(readMain(html)).toContain('(Panadol)')
    expect(mainOf(html)).not.toContain(`/products/${productId}`)
  })

  test('lists are paginated from the newest, and errors come in the order of the contract', async () => {
    const shop = await openShop()
    const [owner, other, staff] = [
      await person(shop),
      await person(shop),
      await person(shop, { isAdmin: true }),
    ]
    const variantId = await addVariant(shop.db)
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const ids: string[] = []
    for (let i = 0; i < 5; i++)
      ids.unshift((await placeOrder(shop.db, i % 2 ? other.id : owner.id, { items })).id)
    const read: string[] = []
    for (let next: string | null = '/api/orders?limit=2'; next !== null;) {
      const response: Response = await staff.get(next)
      read.push(...((await response.json()) as { id: string }[]).map(({ id }) => id))
      next = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(read).toEqual(ids)
    const own = (await json(owner.get('/api/orders/user?limit=1'))) as { id: string }[]
    expect(own.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    const after = (await json(owner.get(`/api/orders/user?after=${ids[0]}`))) as { id: string }[]
    expect(after.map(({ id }) => id)).toEqual([ids[2], ids[4]])

    const statusOf = async (visitor: Visitor, path: string) => (await visitor.get(path)).status
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'after=x',
      `after=${newId()}`,
      `after=${ids[1]}`,
    ]) {
      expect(await statusOf(owner, `/api/orders/user?${query}`), query).toBe(422)
      expect(await statusOf(other, `/api/orders/user/${owner.id}?${query}`), query).toBe(404)
      expect(await statusOf(owner, `/api/orders?${query}`), query).toBe(403)
      expect(await statusOf(shop.visit(), `/api/orders?${query}`), query).toBe(401)
      if (!query.endsWith(ids[1] ?? ''))
        expect(await statusOf(staff, `/api/orders?${query}`), query).toBe(422)
    }
    expect(await statusOf(staff, `/api/orders/user/${newId()}`)).toBe(404)
    expect(await statusOf(staff, '/api/orders/user/x')).toBe(404)
    expect(await statusOf(staff, '/api/orders/x')).toBe(404)
    expect(await statusOf(staff, '/api/prescriptions/order/x')).toBe(404)
  })

  test('an admin sets status and shipment, and gets the reason of a rejection', async () => {
    const shop = await openShop()
    const [owner, staff] = [await person(shop), await person(shop, { isAdmin: true })]
    const prescription = await addPrescription(shop.db, owner.id, { now: new Date() })
    const variantId = await addVariant(shop.db, {
      productId: await addProduct(shop.db, { category: 'Rx' }),
      stockQuantity: 3,
    })
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const order = await placeOrder(shop.db, owner.id, { items, prescriptionId: prescription.id })
    const answer = async (body: unknown, id = order.id) => {
      const response = await patch(staff, id, body)
      return [response.status, await response.text()] as const
    }
    for (const body of [{ hidden: 1 }, [], { total: '1.00' }]) expect((await answer(body))[0]).toBe(400)
    for (const [body, field] of [
      [{ status: 'fulfilled' }, 'status'],
      [{ status: null }, 'status'],
      [{ trackingNumber: 7 }, 'trackingNumber'],
      [{ carrier: 'x'.repeat(101) }, 'carrier'],
      [{ estimatedDelivery: '2026-02-30' }, 'estimatedDelivery'],
    ] as const) {
      const [status, text] = await answer(body)
      expect([status, text.includes(field)], JSON.stringify(body)).toEqual([422, true])
    }
    expect((await answer({ status: 'shipped' }, newId()))[0]).toBe(404)
    expect((await answer({ status: 'nonsense' }, newId()))[0]).toBe(404)
    const [refused, why] = await answer({ status: 'shipped' })
    expect([refused, why]).toEqual([409, 'This order can’t be shipped: Ibuprofen waits for a pharmacist.'])
    expect(await json(owner.get(`/api/prescriptions/order/${order.id}`))).toMatchObject([
      { id: prescription.id, orderId: order.id },
    ])
    expect(await json(owner.get('/api/prescriptions'))).toMatchObject([{ orderId: order.id }])
    const used = await owner.request(`/api/prescriptions/${prescription.id}`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([used.status, await used.text()]).toEqual([
      409,
      'You can’t delete this prescription because an order uses it.',
    ])
    await owner.post('/prescriptions', { intent: 'delete', id: prescription.id })
    const list = await (await owner.get('/prescriptions')).text()
    expect(readMain(list)).toContain('You can’t delete this prescription because an order uses it.')
    // Nothing offers what would be refused.
    const asked = await (await owner.get(`/prescriptions?delete=${prescription.id}`)).text()
    expect(mainOf(asked)).not.toContain('value="delete"')
    expect(mainOf(asked)).not.toContain('name="delete"')
    expect(readMain(asked)).toContain('You can’t delete this prescription because an order uses it.')
    expect(mainOf(list)).toContain(`href="/orders/${order.id}"`)

    const edit = { trackingNumber: ' 1Z999 ', carrier: '', estimatedDelivery: '2026-02-01' }
    expect(JSON.parse((await answer(edit))[1])).toMatchObject({
      status: 'processing',
      trackingNumber: '1Z999',
      carrier: null,
      estimatedDelivery: '2026-02-01',
    })
    expect((await answer({ status: 'cancelled' }))[0]).toBe(200)
    expect((await answer({ status: 'cancelled' }))[0]).toBe(200)
    expect((await answer({ status: 'processing' }))[0]).toBe(409)
  })

  test('the history shows each order as documented and is not cached', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    for (const path of ['/order-history', '/orders']) {
      const html = await (await owner.get(path)).text()
      expect(readMain(html)).toContain('No orders yet')
    }
    const { order } = await placeBranded(shop, owner.id)
    const response = await owner.get('/order-history')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('<title>Order History | Meridian</title>')
    expect(headingsOf(html, 1)).toEqual(['Order History'])
    expect(readMain(await (await owner.get('/orders')).text())).toContain(
      'Where each order is now. Order History has the items, prices and addresses of all of them.',
    )
    const words = readMain(html)
    for (const shown of [
      order.id.slice(-8),
      'Processing',
      'Jan 5, 2026',
      '$24.68',
      'Paracetamol &lt;b&gt; (Panadol)',
      '500 mg, tablet, 24 tablet',
      'Quantity: 2',
      '$12.34 per item',
      homeAddress,
      order.stripePaymentId,
    ]) {
      expect(words).toContain(shown)
    }
    expect(mainOf(html)).toContain('data-color="blue"')
    const list = await (await owner.get('/orders')).text()
    expect(mainOf(list)).toContain(`href="/orders/${order.id}"`)
    expect(readMain(list)).toContain('View details')
    const visitor = await shop.visit().get('/order-history')
    expect([visitor.status, visitor.headers.get('location')]).toEqual([302, '/'])
    expect(await (await shop.visit().get('/orders')).text()).toContain('href="/api/login?returnTo=%2Forders"')
  })

  test('a long history has pages', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const items = [{ productVariantId: await addVariant(shop.db), quantity: 1 }]
    for (let i = 0; i < 21; i++) await placeOrder(shop.db, owner.id, { items })
    for (const path of ['/order-history', '/orders']) {
      const first = await (await owner.get(path)).text()
      expect(first.match(/View details of order/g)).toHaveLength(20)
      expect(first).toContain(`href="${path}?page=2"`)
      const second = await (await owner.get(`${path}?page=2`)).text()
      expect(second.match(/View details of order/g)).toHaveLength(1)
      expect(readMain(second)).toContain('Page 2 of 2')
      expect((await owner.get(`${path}?page=nonsense`)).status).toBe(200)
    }
  })

  test('an order’s page shows its status, and is 404 for another user', async () => {
    const shop = await openShop()
    const [owner, other, staff] = [
      await person(shop),
      await person(shop),
      await person(shop, { isAdmin: true }),
    ]
    const { order, productId, variantId } = await placeBranded(shop, owner.id)
    const path = `/orders/${order.id}`
    const fresh = readMain(await (await owner.get(path)).text())
    expect(fresh).toContain('Expected by Jan 14, 2026')
    expect(fresh).toContain('Cancel order')
    expect(fresh).not.toContain('Report a problem')
    await setOrderStatus(await admin(shop, new Date('2026-01-07T01:00:00Z')), order.id, {
      status: 'shipped',
      carrier: 'UPS',
      trackingNumber: '1Z999AA1',
    })
    const html = await (await owner.get(path)).text()
    expect(html).toContain(`<title>Order ${order.id.slice(-8)} | Meridian</title>`)
    expect(mainOf(html)).toContain(`href="/products/${productId}?variant=${variantId}"`)
    const words = readMain(html)
    expect(words).toMatch(
      /Placed Jan 5, 2026.*Processing.*Shipped Jan 7, 2026 UPS, tracking number 1Z999AA1 Track your package.*Delivered/,
    )
    for (const shown of [homeAddress, order.stripePaymentId, order.id, 'Print receipt', 'Order again']) {
      expect(words).toContain(shown)
    }
    expect(html).toContain('aria-label="Copy tracking number"')
    const trackingUrl = 'https://www.ups.com/track?tracknum=1Z999AA1'
    expect(mainOf(html)).toContain(`<a href="${trackingUrl}" target="_blank" rel="noreferrer"`)
    expect(await (await staff.get(`/admin${path}`)).text()).toContain(`href="${trackingUrl}"`)
    expect(words).not.toContain('Cancel order')
    const contact = `/contact?order=${order.id.slice(-8)}`
    expect(mainOf(html)).toMatch(new RegExp(`href="${contact.replace('?', '\\?')}"[^>]*>Report a problem<`))
    const form = await (await owner.get(contact)).text()
    expect(form).toMatch(new RegExp(`<textarea[^>]*>About order ${order.id.slice(-8)}:`))
    for (const query of ['', '?order=', '?order=%3Cb%3E12345', '?order=xanomeli']) {
      expect(await (await owner.get(`/contact${query}`)).text()).not.toContain('About order')
    }
    for (const visitor of [shop.visit(), other, staff]) {
      const response = await visitor.get(path)
      expect(response.status).toBe(404)
      expect(headingsOf(await response.text(), 1)).toEqual(['Order not found'])
    }
  })

  test('without scripts an order is cancelled once after a confirmation that shows the refund', async () => {
    const shop = await openShop()
    const [owner, other] = [await person(shop), await person(shop)]
    const { order, variantId } = await placeBranded(shop, owner.id)
    const path = `/orders/${order.id}`
    const question = await (await owner.get(`${path}?cancel=ask`)).text()
    expect(headingsOf(question, 2)).toContain('Cancel this order?')
    expect(readMain(question)).toMatch(/We’ll refund \$24\.68 to the card .* We’ll return 2 items to stock/)
    expect(readMain(question)).toMatch(/Cancel Cancel order/)
    expect((await other.post(path, { intent: 'cancel' })).status).toBe(404)
    expect((await owner.post(path, { intent: 'nonsense' })).status).toBe(400)
    for (let i = 0; i < 2; i++) {
      const done = await owner.post(path, { intent: 'cancel' })
      expect([done.status, done.headers.get('location')]).toEqual([303, path])
      expect(readMain(await (await owner.get(path)).text())).toMatch(
        /Order Cancelled We’ll refund \$24\.68 to your card\./,
      )
    }
    const page = readMain(await (await owner.get(path)).text())
    expect(page).toMatch(/Cancelled.*Refund of \$24\.68 started on/)
    expect(page).not.toContain('Cancel order')
    const stock = await shop.db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', variantId)
      .executeTakeFirst()
    expect(stock?.stockQuantity).toBe(100)
    expect(await shop.db.selectFrom('refunds').select('id').execute()).toHaveLength(1)

    const second = await placeBranded(shop, owner.id)
    await setOrderStatus(await admin(shop), second.order.id, { status: 'shipped' })
    await owner.post(`/orders/${second.order.id}`, { intent: 'cancel' })
    const message = readMain(await (await owner.get(`/orders/${second.order.id}`)).text())
    expect(message).toContain('Failed to cancel order')
    expect(message).toContain('already shipped')
  })

  test('cancelling after a partial refund shows the rest in the confirmation, the toast and the page', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order } = await placeBranded(shop, owner.id)
    const path = `/orders/${order.id}`
    const [line] = order.items
    await refundOrder(await admin(shop), {
      id: order.id,
      key: '019a7c1e-0000-4000-8000-000000000001',
      lines: [{ lineId: line?.id ?? '', quantity: 1, restock: false }],
    })
    const question = readMain(await (await owner.get(`${path}?cancel=ask`)).text())
    expect(question).toMatch(/We’ll refund \$12\.34 to the card .* We’ll return 1 item to stock/)
    expect(question).not.toContain('in full')
    await owner.post(path, { intent: 'cancel' })
    const page = readMain(await (await owner.get(path)).text())
    expect(page).toMatch(/Order Cancelled We’ll refund \$12\.34 to your card\./)
    expect(page.match(/Refund of \$12\.34/g)).toHaveLength(2)
    expect(page).not.toContain('Refund of $24.68')
  })

  test('the page and the history of an order say how many units of a line were refunded', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order } = await placeBranded(shop, owner.id)
    const pages = [`/orders/${order.id}`, '/order-history']
    const readPages = () =>
      Promise.all(pages.map(async (path) => readMain(await (await owner.get(path)).text())))
    for (const page of await readPages()) expect(page).toContain('Quantity: 2 · $12.34 per item')
    await refundOrder(await admin(shop), {
      id: order.id,
      key: '019a7c1e-0000-4000-8000-000000000002',
      lines: [{ lineId: order.items[0]?.id ?? '', quantity: 1, restock: false }],
    })
    for (const page of await readPages()) expect(page).toContain('Quantity: 2, 1 refunded · $12.34 per item')
  })

  test('an order that was cancelled before its card was charged has no refunded units', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order } = await placeBranded(shop, owner.id)
    await shop.db.updateTable('orders').set({ capturedCents: 0 }).execute()
    await owner.post(`/orders/${order.id}`, { intent: 'cancel' })
    for (const path of [`/orders/${order.id}`, '/order-history'])
      expect(readMain(await (await owner.get(path)).text())).toContain('Quantity: 2 · $12.34 per item')
  })

  test('cancelling a fully refunded order says that nothing is left to refund', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order } = await placeBranded(shop, owner.id)
    const path = `/orders/${order.id}`
    await refundOrder(await admin(shop), {
      id: order.id,
      key: '019a7c1e-0000-4000-8000-000000000001',
      lines: order.items.map(({ id: lineId, quantity }) => ({ lineId, quantity, restock: true })),
    })
    const question = readMain(await (await owner.get(`${path}?cancel=ask`)).text())
    expect(question).toContain('We already refunded your payment. Nothing has shipped yet.')
    await owner.post(path, { intent: 'cancel' })
    const page = readMain(await (await owner.get(path)).text())
    expect(page).toContain('Order Cancelled We already refunded your payment.')
    expect(page.match(/Refund of/g)).toHaveLength(1)
  })

  test('cancelling before the charge says that the card was not charged', async () => {
    const shop = await openShop()
    const { order } = await placeHeldOrder(shop.db)
    const owner = shop.visit()
    await signInAs(owner, shop.db, order.userId ?? '')
    const path = `/orders/${order.id}`
    const question = readMain(await (await owner.get(`${path}?cancel=ask`)).text())
    expect(question).toContain('We won’t charge your card. We’ll return 3 items to stock.')
    expect(question).toMatch(/\$25\.00 authorized on Jan 5, 2026 ?\. We’ll charge your card once/)
    await owner.post(path, { intent: 'cancel' })
    const page = readMain(await (await owner.get(path)).text())
    expect(page).toContain('Order Cancelled Your card was not charged.')
    expect(page).not.toContain('Refund of')
    const [listed] = (await json(owner.get(`/api/orders/user/${order.userId}`))) as unknown[]
    expect(listed).toMatchObject({ status: 'cancelled', total: '25.00', refunded: '0.00', refusedItems: [] })
  })

  test('reordering without scripts adds the available items and counts the rest; the cookie names no medicine', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const { order, variantId } = await placeBranded(shop, owner.id)
    const path = `/orders/${order.id}`
    const again = await owner.post(path, { intent: 'again' })
    expect([again.status, again.headers.get('location')]).toEqual([303, '/cart'])
    expect(readMain(await (await owner.get('/cart')).text())).toMatch(/Added to cart.*Paracetamol.*\$24\.68/)
    await shop.db
      .updateTable('productVariants')
      .set({ inStock: false, stockQuantity: 0 })
      .where('id', '=', variantId)
      .execute()
    const none = await owner.post(path, { intent: 'again' })
    expect(none.headers.get('location')).toBe(path)
    expect(decodeURIComponent(none.headers.getSetCookie().join())).not.toContain('Paracetamol')
    expect(readMain(await (await owner.get(path)).text())).toContain('Not available right now: 1 item')
  })

  test('each prescription line says where it stands, and removed ones are apart with a reason', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    const now = new Date()
    const addRx = async (name: string) =>
      addVariant(shop.db, { productId: await addProduct(shop.db, { category: 'Rx', name }) })
    const [lisinopril, gabapentin] = [await addRx('Lisinopril'), await addRx('Gabapentin')]
    const { id: prescriptionId } = await addPrescription(shop.db, owner.id, { now })
    const ctx = testContext(shop.db, { now, user: signedIn(owner.id) })
    const items = [lisinopril, gabapentin].map((id) => ({ productVariantId: id, quantity: 1 }))
    const { order } = await buy(ctx, lisinopril, { items, prescriptionId })
    const readPage = async (): Promise<string> =>
      readMain(await (await owner.get(`/orders/${order.id}`)).text())

    const waiting = await readPage()
    expect(waiting.match(/Waiting for a pharmacist\. Usually decided by \w{3} \d+\./g)).toHaveLength(2)
    expect(waiting).toMatch(
      /If no pharmacist has decided by \w{3} \d+, we’ll remove it and won’t charge you for it\./,
    )
    await shop.db.updateTable('lineReviews').set({ status: 'asked' }).execute()
    expect(await readPage()).toContain('A pharmacist asked you a question. We’re waiting for your answer.')

    const [refused] = order.items.filter(({ productVariantId }) => productVariantId === gabapentin)
    await refuseLines(ctx, await findOrder(ctx, order.id), [
      { lineId: refused?.id ?? '', reason: 'The strength on the file is another one.' },
    ])
    await markCleared(shop.db, order.id, now)
    const cleared = await readPage()
    expect(cleared).toMatch(/Cleared by a pharmacist on \w{3} \d+\. It ships within 1-2 business days\./)
    expect(cleared).toMatch(/Removed from this order You don’t pay for these items\. Gabapentin/)
    expect(cleared).toMatch(/Removed on \w{3} \d+, \d{4} ?: The strength on the file is another one\./)

    const again = await owner.post(`/orders/${order.id}`, { intent: 'again-refused' })
    expect(`${again.status} ${again.headers.get('location')}`).toBe('303 /cart')
    const cart = readMain(await (await owner.get('/cart')).text())
    expect(cart).toContain('Shopping Cart (1 items)')
    expect(cart).toContain('Gabapentin')

    await moveFills(shop.db, { orderId: order.id, from: ['cleared'], to: 'dispensed', now })
    expect(await readPage()).toMatch(/Dispensed on \w{3} \d+\./)
  })
})
