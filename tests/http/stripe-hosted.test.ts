import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import type { StripeServer } from '#tests/mocks/stripe/server.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { jobsOf, openStripeShop } from '#tests/support/stripe-shop.ts'
import { expect, test } from 'vitest'

const address = {
  streetAddress: '12 Harbour Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}

/** A customer without scripts, with one medicine in the cart. */
async function openCustomer(shop: Shop, category: 'OTC' | 'Rx' = 'OTC') {
  const visitor = shop.visit()
  const userId = await makeUser(shop.db)
  await signInAs(visitor, shop.db, userId)
  const [{ variantId, priceCents, stock }] = await findAvailableVariants(shop.db, category)
  await visitor.post('/cart', { intent: 'add', variantId, quantity: '1' })
  return { visitor, userId, variantId, priceCents, stock }
}

/**
 * Submits the checkout form. Returns the URL of Stripe's page.
 */
async function placeOrder(visitor: Visitor, more: Record<string, string> = {}): Promise<string> {
  const html = await (await visitor.get('/checkout')).text()
  const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const answer = await visitor.post('/checkout', { ...address, ...more, seen })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}

/** Pays on Stripe's page. Returns the redirect URL, or the page's text. */
async function payAt(page: string, card: string): Promise<string> {
  const answer = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ card }),
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? (await answer.text())
}

const stateOf = async ({ db }: Shop, variantId: string) => ({
  orders: await db.selectFrom('orders').select(['paymentId', 'totalCents']).execute(),
  checkouts: (await db.selectFrom('checkouts').select('status').orderBy('id').execute()).map(
    ({ status }) => status,
  ),
  stock: await db
    .selectFrom('productVariants')
    .select(['stockQuantity', 'reservedQuantity'])
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow(),
})

const paymentsOf = ({ store }: StripeServer) =>
  [...store.intents.values()].map(({ id, status }) => ({ id, status }))

const met = (response: Response): string =>
  `${response.status} ${response.headers.get('location') ?? ''}`.trimEnd()

eachShop((openShop) => {
  test('without scripts a customer pays on Stripe’s page after a declined card and returns to the order', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ drop: () => true })
    const { visitor, variantId, priceCents, stock } = await openCustomer(shop)
    const page = await placeOrder(visitor)
    expect(page).toMatch(`${stripe.origin}/c/pay/cs_`)
    expect(await (await fetch(page)).text()).toContain(`Pay $${(priceCents / 100).toFixed(2)}`)
    expect(await payAt(page, 'pm_card_chargeDeclined')).toContain('Your card was declined.')
    const back = new URL(await payAt(page, 'pm_card_visa'))
    expect(`${back.origin}${back.pathname}`).toBe(`${shop.origin}/order-confirmation`)
    expect(met(await visitor.get(back.pathname + back.search))).toBe('303 /order-history')
    const [payment] = paymentsOf(stripe)
    const ordered = {
      orders: [{ paymentId: payment?.id, totalCents: priceCents }],
      checkouts: ['ordered'],
      stock: { stockQuantity: stock - 1, reservedQuantity: 0 },
    }
    expect(await stateOf(shop, variantId)).toEqual(ordered)
    // Loads the return page again, after the webhook.
    expect(met(await visitor.get(back.pathname + back.search))).toBe('303 /order-history')
    expect(await stateOf(shop, variantId)).toEqual(ordered)
  })

  test('a page authorizes an order with a prescription, which is captured or voided later', async () => {
    for (const isDelivered of [true, false]) {
      const { shop, stripe, connect } = await openStripeShop(openShop)
      connect({ drop: () => !isDelivered, times: 3, shuffleMs: 50 })
      const { visitor, userId, priceCents } = await openCustomer(shop, 'Rx')
      const { id: prescriptionId } = await addPrescription(shop.db, userId, { now: new Date() })
      await payAt(await placeOrder(visitor, { prescriptionId }), 'pm_card_visa')
      await stripe.webhooks.settled()
      if (!isDelivered) await reconcileCheckouts(...jobsOf(shop, stripe, 46))
      const [payment] = paymentsOf(stripe)
      expect(payment?.status).toBe('requires_capture')
      const readHold = () => shop.db.selectFrom('paymentHolds').selectAll().executeTakeFirstOrThrow()
      expect(await readHold()).toMatchObject({
        paymentId: payment?.id,
        status: 'authorized',
        authorizedCents: priceCents,
        captureBefore: expect.any(Date),
      })
      // Nothing that cancels unpaid payments voids it.
      await reconcileCheckouts(...jobsOf(shop, stripe, 3600))
      expect(paymentsOf(stripe)).toEqual([payment])
      // Voided or captured in Stripe's dashboard: the webhook says so, or the job looks.
      if (isDelivered) stripe.store.captureIntent(payment?.id ?? '', null)
      else stripe.store.cancelIntent(payment?.id ?? '', null)
      await stripe.webhooks.settled()
      if (!isDelivered) await processHolds(...jobsOf(shop, stripe, 7200))
      const order = await shop.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
      expect([(await readHold()).status, order.status, order.capturedCents]).toEqual(
        isDelivered ? ['captured', 'processing', priceCents] : ['failed', 'cancelled', 0],
      )
    }
  })

  test('a page payment without a return becomes an order by the webhook or the reconciler', async () => {
    for (const isDelivered of [true, false]) {
      const { shop, stripe, connect } = await openStripeShop(openShop)
      connect({ drop: () => !isDelivered, times: 3, shuffleMs: 50 })
      const { visitor, variantId, priceCents } = await openCustomer(shop)
      await payAt(await placeOrder(visitor), 'pm_card_visa')
      await stripe.webhooks.settled()
      if (!isDelivered) await reconcileCheckouts(...jobsOf(shop, stripe, 46))
      const [payment] = paymentsOf(stripe)
      expect(await stateOf(shop, variantId)).toMatchObject({
        orders: [{ paymentId: payment?.id, totalCents: priceCents }],
        checkouts: ['ordered'],
      })
    }
  })

  test('an unpaid page expires when the hold ends, and its stock is released', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { visitor, variantId, stock } = await openCustomer(shop)
    const page = await placeOrder(visitor)
    await payAt(page, 'pm_card_chargeDeclined')
    const held = { stockQuantity: stock, reservedQuantity: 1 }
    await reconcileCheckouts(...jobsOf(shop, stripe, 800))
    expect(await stateOf(shop, variantId)).toMatchObject({ checkouts: ['open'], stock: held })
    stripe.fail('answer 500')
    await reconcileCheckouts(...jobsOf(shop, stripe, 950))
    expect(await stateOf(shop, variantId)).toMatchObject({ checkouts: ['open'], stock: held })
    stripe.clearFaults()
    await reconcileCheckouts(...jobsOf(shop, stripe, 1100))
    expect(await stateOf(shop, variantId)).toEqual({
      orders: [],
      checkouts: ['cancelled'],
      stock: { stockQuantity: stock, reservedQuantity: 0 },
    })
    expect(await payAt(page, 'pm_card_visa')).toContain('expired')
    expect(paymentsOf(stripe)).toMatchObject([{ status: 'canceled' }])
  })

  test('ordering again creates a new page and expires the first', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { visitor, variantId, stock } = await openCustomer(shop)
    const first = await placeOrder(visitor)
    const second = await placeOrder(visitor)
    expect(second).not.toBe(first)
    expect(await payAt(first, 'pm_card_visa')).toContain('expired')
    await payAt(second, 'pm_card_visa')
    await stripe.webhooks.settled()
    expect(await stateOf(shop, variantId)).toMatchObject({
      orders: [{}],
      checkouts: ['cancelled', 'ordered'],
      stock: { stockQuantity: stock - 1, reservedQuantity: 0 },
    })
  })

  test('returning from an unpaid page charges nothing, and another customer’s page is 404', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { visitor, variantId } = await openCustomer(shop)
    const id = (await placeOrder(visitor)).split('/').at(-1) ?? ''
    const confirm = (who: Visitor, session: string) => who.get(`/order-confirmation?session_id=${session}`)
    expect(met(await confirm(visitor, id))).toBe('303 /checkout')
    const other = shop.visit()
    await signInAs(other, shop.db, await makeUser(shop.db))
    stripe.store.paySession(id, 'pm_card_visa')
    expect((await confirm(other, id)).status).toBe(404)
    expect((await confirm(visitor, 'cs_test_nobody')).status).toBe(404)
    await stripe.webhooks.settled()
    expect((await stateOf(shop, variantId)).orders).toHaveLength(1)
  })

  test('returning from a page before a bank debit is paid says to wait, and the order follows', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { visitor, variantId, priceCents } = await openCustomer(shop)
    const back = new URL(await payAt(await placeOrder(visitor), 'pm_usBankAccount_success'))
    expect(met(await visitor.get(back.pathname + back.search))).toBe('303 /order-history')
    const history = await (await visitor.get('/order-history')).text()
    expect(history).toContain('Your payment is processing')
    expect(await stateOf(shop, variantId)).toMatchObject({ orders: [], checkouts: ['open'] })
    const [payment] = paymentsOf(stripe)
    stripe.store.settleIntent(payment?.id ?? '', 'succeed')
    await stripe.webhooks.settled()
    expect((await stateOf(shop, variantId)).orders).toEqual([
      { paymentId: payment?.id, totalCents: priceCents },
    ])
  })
})
