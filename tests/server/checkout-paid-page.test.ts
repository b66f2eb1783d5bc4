import { findCheckout, setCheckoutPayment } from '#db/checkout/checkouts.ts'
import type { Db } from '#db/engine/client.ts'
import { computeFingerprint } from '#domain/checkout/checkout.ts'
import { addToCart, removeFromCart } from '#server/cart/update-cart.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { findSucceededPayment, wasJustOrdered } from '#server/checkout/find-succeeded-payment.ts'
import { startCheckout, startHostedCheckout } from '#server/checkout/start-checkout.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import type { HostedSession, Payment, Payments } from '#server/integrations/payments/payments.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { countOf, stockOf } from '#tests/support/checkout-state.ts'
import { asCustomer, buy, pay, shipTo } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

/** Demo payments with one page, which the customer pays just before the shop expires it. */
function paidBeforeExpiry(db: Db) {
  const demo = demoPayments(db)
  const opened: { page: HostedSession; payment: Payment }[] = []
  const intents: string[] = []
  const find = (id: string) => {
    const found = opened.find(({ page }) => page.id === id)
    if (!found) throw new Error('no such page')
    return found
  }
  const payments: Payments = {
    ...demo,
    createPayment: (payment) => {
      intents.push(payment.checkoutId)
      return demo.createPayment(payment)
    },
    hosted: {
      createSession: async (request) => {
        const payment = await demo.createPayment(request)
        const id = `cs_${opened.length}`
        const page = { id, status: 'open', url: `https://pay.example/${id}`, paymentId: null } as const
        opened.push({ page: { ...page, checkoutId: request.checkoutId }, payment })
        return find(id).page
      },
      findSession: async (id) => find(id).page,
      expireSession: async (id) => {
        const found = find(id)
        await pay(db, found.payment)
        found.page = { ...found.page, status: 'complete', url: null, paymentId: found.payment.id }
        return found.page
      },
    },
  }
  return { payments, opened, intents }
}

/** A customer with a cart, and its form. */
async function fillCart(db: Db, payments: Payments) {
  const productVariantId = await addVariant(db, { priceCents: 500 })
  const ctx = await asCustomer(db, { payments })
  await addToCart(ctx, null, { variantId: productVariantId, quantity: 1 })
  const items = [{ productVariantId, quantity: 1 }]
  const input = { items, shipTo, prescriptionId: null }
  const seenFingerprint = computeFingerprint([{ productVariantId, quantity: 1, priceCents: 500 }])
  return { ctx, input, seenFingerprint, productVariantId }
}

/** A customer who has left the cart's form for the provider's page, and sends the form again. */
async function openPage(db: Db) {
  const { payments, opened, intents } = paidBeforeExpiry(db)
  const { ctx, input, seenFingerprint, productVariantId } = await fillCart(db, payments)
  const openPageAgain = () =>
    startHostedCheckout(ctx, input, { seenFingerprint, successUrl: '', cancelUrl: '' })
  await openPageAgain()
  expect(await findSucceededPayment(ctx, seenFingerprint)).toBeNull()
  return { ctx, input, seenFingerprint, productVariantId, opened, intents, openPageAgain }
}

eachEngine((_engine, openDb) => {
  test('a page that has no address any more cannot start a checkout', async () => {
    const db = await openDb()
    const { payments } = paidBeforeExpiry(db)
    const page = { id: 'cs_1', status: 'expired', url: null, paymentId: null, checkoutId: null } as const
    const expired = async (): Promise<HostedSession> => page
    const hosted = { createSession: expired, findSession: expired, expireSession: expired }
    const { ctx, input, seenFingerprint } = await fillCart(db, { ...payments, hosted })
    const starting = startHostedCheckout(ctx, input, { seenFingerprint, successUrl: '', cancelUrl: '' })
    await expect(starting).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Failed to initialize checkout. Please try again.',
      retryAfter: 5,
    })
  })

  test.each([[true], [false]])(
    'a page that is paid while another payment is prepared is not paid again (resume: %s)',
    async (resume) => {
      const db = await openDb()
      const { ctx, input, productVariantId, opened, intents } = await openPage(db)
      const { payment } = await startCheckout(ctx, input, { resume })
      expect(payment).toMatchObject({ id: opened[0]?.payment.id, status: 'succeeded' })
      expect(intents).toEqual([])
      expect(await db.selectFrom('checkouts').selectAll().execute()).toMatchObject([
        { status: 'open', paymentId: payment.id, sessionId: 'cs_0' },
      ])
      expect(await stockOf(db, productVariantId)).toMatchObject({ reservedQuantity: 1 })
      expect(await finalizeCheckout(ctx, payment.id)).toMatchObject({ isNew: true })
    },
  )

  test('a page that is paid while the form is sent opens no second page', async () => {
    const db = await openDb()
    const { ctx, seenFingerprint, productVariantId, opened, openPageAgain } = await openPage(db)
    await expect(openPageAgain()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(opened).toHaveLength(1)
    expect(await countOf(db, 'checkouts')).toBe(1)
    expect(await stockOf(db, productVariantId)).toMatchObject({ reservedQuantity: 1 })
    // The form sent once more finds the payment.
    expect(await findSucceededPayment(ctx, seenFingerprint)).toBe(opened[0]?.payment.id)
  })

  test('a resubmitted form returns the order unless it was cancelled or its items are in the cart again', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const variantId = await addVariant(db, { priceCents: 500 })
    const seenFingerprint = computeFingerprint([
      { productVariantId: variantId, quantity: 1, priceCents: 500 },
    ])
    await addToCart(ctx, null, { variantId, quantity: 1 })
    const { order } = await buy(ctx, variantId)
    expect(await wasJustOrdered(ctx, seenFingerprint)).toBe(true)
    // The customer orders the same once more: a refusal of that is no second copy of the form.
    await addToCart(ctx, null, { variantId, quantity: 1 })
    expect(await wasJustOrdered(ctx, seenFingerprint)).toBe(false)
    await removeFromCart(ctx, null, { variantId })
    await cancelOrder(ctx, order.id)
    expect(await wasJustOrdered(ctx, seenFingerprint)).toBe(false)
  })

  test('a checkout keeps the payment or page that it got first', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const items = [{ productVariantId: await addVariant(db), quantity: 1 }]
    const { checkoutId: id, payment } = await startCheckout(ctx, { items, shipTo, prescriptionId: null })
    const set = (paymentId: string | null, sessionId: string | null) =>
      setCheckoutPayment(db, { id, paymentId, sessionId, now: ctx.now })
    expect([await set('pi_other', null), await set(null, 'cs_other')]).toEqual([false, false])
    expect(await set(payment.id, null)).toBe(true)
    const { paymentId, sessionId } = (await findCheckout(db, id)) ?? {}
    expect({ paymentId, sessionId }).toEqual({ paymentId: payment.id, sessionId: null })
  })
})
