import { newId } from '#domain/ids.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { declinedCard, goodCard } from '#tests/support/checkouts.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const shippingAddress = '12 Harbour Lane, Portland, ME 04101, United States'

const intentSchema = z.strictObject({ clientSecret: z.string(), total: z.string() })

/** The specification's entity. */
const orderSchema = z.strictObject({
  id: z.string(),
  userId: z.string(),
  status: z.literal('processing'),
  total: z.string(),
  refunded: z.string(),
  shippingAddress: z.string(),
  stripePaymentId: z.string(),
  prescriptionId: z.string().nullable(),
  trackingNumber: z.null(),
  carrier: z.null(),
  estimatedDelivery: z.iso.date(),
  createdAt: z.iso.datetime(),
  customerName: z.string(),
  customerEmail: z.string(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      productVariantId: z.string(),
      quantity: z.number(),
      price: z.string(),
      product: z.object({ name: z.string() }),
      variant: z.object({ brandName: z.string().nullable(), strength: z.string() }),
    }),
  ),
  refusedItems: z.array(z.never()),
})

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
  })

  const newCustomer = async (): Promise<Visitor & { userId: string }> => {
    const visitor = shop.visit()
    const userId = await makeUser(shop.db)
    await signInAs(visitor, shop.db, userId)
    return { ...visitor, userId }
  }
  const post = (visitor: Visitor, path: string, body: unknown): Promise<Response> =>
    visitor.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      body: JSON.stringify(body),
    })
  const reply = async (reply: Promise<Response>): Promise<string> => {
    const response = await reply
    return `${response.status} ${await response.text()}`
  }
  const begin = async (visitor: Visitor, productVariantId: string, more: object = { shippingAddress }) => {
    const items = [{ productVariantId, quantity: 2 }]
    const response = await post(visitor, '/api/create-payment-intent', { items, ...more })
    expect(response.status).toBe(200)
    const { clientSecret, total } = intentSchema.parse(await response.json())
    return { clientSecret, total, stripePaymentId: clientSecret.split('_secret_')[0] ?? '' }
  }
  const pay = (visitor: Visitor, clientSecret: string, cardNumber = goodCard): Promise<Response> =>
    post(visitor, '/demo-payments/confirm', { clientSecret, cardNumber })

  test('from items to an order: the client’s price and status are ignored', async () => {
    const customer = await newCustomer()
    const variantId = await addVariant(shop.db, { priceCents: 1250 })
    const { clientSecret, total, stripePaymentId } = await begin(customer, variantId)
    expect(total).toBe('25.00')
    expect(await (await pay(customer, clientSecret)).json()).toEqual({
      id: stripePaymentId,
      status: 'succeeded',
    })
    const items = [{ productVariantId: variantId, quantity: 2, price: '0.01' }]
    const response = await post(customer, '/api/orders', {
      status: 'delivered',
      total,
      shippingAddress: '1 Elsewhere, Paris, IDF 75001, France',
      stripePaymentId,
      prescriptionId: null,
      items,
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('cache-control')).toContain('no-store')
    const order = orderSchema.parse(await response.json())
    expect(order).toMatchObject({
      userId: customer.userId,
      total: '25.00',
      refunded: '0.00',
      shippingAddress,
      stripePaymentId,
      items: [{ productVariantId: variantId, quantity: 2, price: '12.50' }],
    })
    const again = await post(customer, '/api/orders', { stripePaymentId, total })
    expect(again.status).toBe(200)
    expect(orderSchema.parse(await again.json()).id).toBe(order.id)
  })

  test('a payment’s problem decides the response status', async () => {
    const customer = await newCustomer()
    const { clientSecret, stripePaymentId } = await begin(customer, await addVariant(shop.db))
    expect(await reply(post(customer, '/api/orders', { stripePaymentId }))).toBe(
      '402 The payment hasn’t gone through.',
    )
    expect(await reply(pay(customer, clientSecret, declinedCard))).toBe('402 Your card was declined.')
    expect(await reply(pay(customer, clientSecret, '4000 0000 0000 9995'))).toBe(
      '402 Your card has insufficient funds.',
    )
    expect(await reply(pay(customer, clientSecret, '1234'))).toMatch(
      /^422 cardNumber: This is not a demo card/,
    )
    expect(await reply(pay(customer, `${stripePaymentId}_secret_guessed`))).toMatch(/^404/)
    await pay(customer, clientSecret)
    const other = await newCustomer()
    expect(await reply(post(other, '/api/orders', { stripePaymentId }))).toMatch(/^404/)
    expect(await reply(post(customer, '/api/orders', { stripePaymentId: 'pi_unknown' }))).toMatch(/^404/)
    expect(await reply(post(customer, '/api/orders', { stripePaymentId, total: '0.01' }))).toMatch(/^409/)
    expect(await reply(post(customer, '/api/orders', { stripePaymentId, total: '10.00' }))).toMatch(/^201/)
  })

  test('a card’s verification succeeds or fails, and can be retried', async () => {
    const customer = await newCustomer()
    const { clientSecret, stripePaymentId } = await begin(customer, await addVariant(shop.db))
    const complete = (outcome: string) => post(customer, '/demo-payments/complete', { clientSecret, outcome })
    expect(await reply(complete('succeed'))).toMatch(/^409/)
    const requested = await pay(customer, clientSecret, '4000 0025 0000 3155')
    expect(await requested.json()).toEqual({ id: stripePaymentId, status: 'requires_action' })
    expect(await reply(post(customer, '/api/orders', { stripePaymentId }))).toMatch(/^402/)
    expect(await reply(complete('fail'))).toMatch(/^402/)
    expect(await reply(complete('maybe'))).toMatch(/^422 outcome/)
    await pay(customer, clientSecret, '4000 0025 0000 3155')
    expect(await (await complete('succeed')).json()).toEqual({ id: stripePaymentId, status: 'succeeded' })
    expect(await reply(post(customer, '/api/orders', { stripePaymentId }))).toMatch(/^201/)
  })

  test('an authorized demo payment has succeeded and is not captured', async () => {
    const customer = await newCustomer()
    const provider = demoPayments(shop.db)
    for (const cardNumber of [goodCard, '4000 0025 0000 3155']) {
      const held = await provider.createPayment({ checkoutId: newId(), amountCents: 500, capture: 'manual' })
      const { clientSecret, id } = held
      const [confirmed, completed] = [
        await (await pay(customer, clientSecret, cardNumber)).json(),
        await (await post(customer, '/demo-payments/complete', { clientSecret, outcome: 'succeed' })).json(),
      ]
      expect(completed).toEqual({ id, status: 'succeeded', captured: false })
      expect(confirmed).toEqual(cardNumber === goodCard ? completed : { id, status: 'requires_action' })
    }
  })

  test('the order can and must have the missing prescription and address', async () => {
    const customer = await newCustomer()
    const { userId } = customer
    const productId = await addProduct(shop.db, { category: 'Rx' })
    const { clientSecret, stripePaymentId } = await begin(
      customer,
      await addVariant(shop.db, { productId }),
      {},
    )
    await pay(customer, clientSecret)
    const order = (more: object) => reply(post(customer, '/api/orders', { stripePaymentId, ...more }))
    expect(await order({})).toBe('422 shippingAddress: Missing Shipping Information')
    expect(await order({ shippingAddress: 'Portland' })).toMatch(/^422 shippingAddress: Missing Shipping/)
    const needed = '422 prescriptionId: Please select a prescription for prescription items'
    expect(await order({ shippingAddress })).toBe(needed)
    const deleted = await addPrescription(shop.db, userId, { now: new Date() })
    await shop.db.deleteFrom('prescriptions').where('id', '=', deleted.id).execute()
    const foreign = await addPrescription(shop.db, await makeUser(shop.db), { now: new Date() })
    for (const prescriptionId of [deleted.id, foreign.id, newId(), 'x', '']) {
      expect(await order({ shippingAddress, prescriptionId })).toBe(needed)
    }
    const { id } = await addPrescription(shop.db, userId, { now: new Date() })
    expect(await order({ shippingAddress, prescriptionId: id })).toMatch(/^201/)
  })

  test('a prescription for another strength is 422, and a medicine with an order in progress is 409', async () => {
    const customer = await newCustomer()
    const productId = await addProduct(shop.db, { category: 'Rx', name: 'Lisinopril' })
    const sold = { productId, genericName: 'Lisinopril' }
    const variantId = await addVariant(shop.db, sold)
    const other = await addVariant(shop.db, { ...sold, strength: '400' })
    const writtenOn = new Date().toISOString().slice(0, 10)
    const { id: prescriptionId } = await addPrescription(shop.db, customer.userId, { now: new Date() })
    await addItem(shop.db, { userId: customer.userId, prescriptionId, variantId, writtenOn })
    const start = (productVariantId: string, quantity: number) =>
      reply(
        post(customer, '/api/create-payment-intent', {
          items: [{ productVariantId, quantity }],
          shippingAddress,
          prescriptionId,
        }),
      )
    expect(await start(other, 1)).toMatch(/^422 prescriptionId: Lisinopril: Not covered: .* 200 mg\.$/)
    expect(await start(variantId, 3)).toMatch(/^422 prescriptionId: .* at most 48 tablets\./)
    // Covered: the order names the prescription of the item by itself.
    const { clientSecret, stripePaymentId } = await begin(customer, variantId)
    await pay(customer, clientSecret)
    const placed = await post(customer, '/api/orders', { stripePaymentId })
    expect([placed.status, ((await placed.json()) as { prescriptionId: string }).prescriptionId]).toEqual([
      201,
      prescriptionId,
    ])
    expect(await start(variantId, 2)).toBe(
      '409 Lisinopril: You already have an order for this medicine in progress.',
    )
  })

  test.each([
    ['no object', [], '400'],
    ['an unknown key', { items: [], coupon: 'FREE' }, '400'],
    ['no items', {}, '422 items'],
    ['an empty list', { items: [] }, '422 items'],
    ['a list of texts', { items: ['x'] }, '422 items'],
    ['a number as id', { items: [{ productVariantId: 1, quantity: 1 }] }, '422 items'],
    ['a text as quantity', { items: [{ productVariantId: newId(), quantity: '1' }] }, '422 items'],
    ['quantity -1', { items: [{ productVariantId: newId(), quantity: -1 }] }, '422 items'],
    ['quantity 0', { items: [{ productVariantId: newId(), quantity: 0 }] }, '422 items'],
    ['quantity 1.5', { items: [{ productVariantId: newId(), quantity: 1.5 }] }, '422 items'],
    ['quantity 1,000', { items: [{ productVariantId: newId(), quantity: 1000 }] }, '422 items'],
    ['what is not there', { items: [{ productVariantId: newId(), quantity: 1 }] }, '422 items'],
    [
      'a fifty-first line',
      { items: Array.from({ length: 51 }, () => ({ productVariantId: newId(), quantity: 1 })) },
      '422 items',
    ],
    ['a number as address', { items: [], shippingAddress: 5 }, '422 shippingAddress'],
    ['a town as address', { items: [], shippingAddress: 'Portland' }, '422 shippingAddress'],
    ['a number as prescription', { items: [], prescriptionId: 5 }, '422 prescriptionId'],
  ])('a payment for %s is refused', async (_name, body, start) => {
    const customer = await newCustomer()
    const answer = await reply(post(customer, '/api/create-payment-intent', body))
    expect(answer.slice(0, start.length)).toBe(start)
  })

  test.each([
    ['no payment', {}, '422 stripePaymentId'],
    ['a number as payment', { stripePaymentId: 5 }, '422 stripePaymentId'],
    ['a number as total', { stripePaymentId: 'pi_x', total: 5 }, '422 total'],
    ['a word as total', { stripePaymentId: 'pi_x', total: 'much' }, '422 total'],
    ['three decimals', { stripePaymentId: 'pi_x', total: '1.005' }, '422 total'],
    [
      'quantity 0',
      { stripePaymentId: 'pi_x', items: [{ productVariantId: newId(), quantity: 0 }] },
      '422 items',
    ],
    ['an unknown key', { stripePaymentId: 'pi_x', paid: true }, '400'],
  ])('an order with %s is refused', async (_name, body, start) => {
    const answer = await reply(post(await newCustomer(), '/api/orders', body))
    expect(answer.slice(0, start.length)).toBe(start)
  })

  test('creating a payment or an order requires sign-in and the same site', async () => {
    const visitor = shop.visit()
    for (const path of ['/api/create-payment-intent', '/api/orders']) {
      expect(await reply(post(visitor, path, {}))).toMatch(/^401/)
      const foreign = await visitor.request(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        },
        body: '{}',
      })
      expect(foreign.status).toBe(403)
    }
    const requested = await shop.visit().get('/api/create-payment-intent')
    expect(requested.status).toBe(405)
  })

  test('more than the stock, and a controlled medicine, cannot be paid for', async () => {
    const customer = await newCustomer()
    const one = await addVariant(shop.db, { stockQuantity: 1 })
    const scheduled = await addVariant(shop.db, {
      productId: await addProduct(shop.db, { controlledSchedule: 'CII' }),
    })
    for (const [productVariantId, answer] of [
      [one, '409 Ibuprofen: Only 1 in stock.'],
      [scheduled, '409 Ibuprofen: Not available online.'],
    ]) {
      const items = [{ productVariantId, quantity: 2 }]
      expect(await reply(post(customer, '/api/create-payment-intent', { items }))).toBe(answer)
    }
  })

  test('with Stripe, the demo payment endpoints are 404', async () => {
    const other = await openShop({
      catalog: 'empty',
      payments: {
        kind: 'stripe',
        publishableKey: null,
        hosted: null,
        createPayment: never,
        findPayment: never,
        cancelPayment: never,
        capturePayment: never,
        voidPayment: never,
        refund: never,
        readEvent: never,
      },
    })
    for (const path of ['/demo-payments/confirm', '/demo-payments/complete']) {
      const body = { clientSecret: 'pi_x_secret_y', cardNumber: goodCard, outcome: 'succeed' }
      const { cardNumber, outcome, clientSecret } = body
      const own = path.endsWith('confirm') ? { clientSecret, cardNumber } : { clientSecret, outcome }
      expect((await post(other.visit(), path, own)).status).toBe(404)
    }
  })
})

function never(): never {
  throw new Error('Nothing may be asked of the provider.')
}
