import { AppError } from '#domain/errors.ts'
import { computeFingerprint } from '#domain/checkout/checkout.ts'
import { newId } from '#domain/ids.ts'
import { countUnitsSold } from '#server/inventory/count-units-sold.ts'
import { listAddresses } from '#server/accounts/list-addresses.ts'
import { addToCart } from '#server/cart/update-cart.ts'
import { getCart } from '#server/cart/get-cart.ts'
import { cancelCheckoutPayment } from '#server/checkout/cancel-payment.ts'
import { findDelivery } from '#server/checkout/find-delivery.ts'
import { getCheckoutView } from '#server/checkout/get-checkout-view.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { startCheckout, startHostedCheckout } from '#server/checkout/start-checkout.ts'
import { closedPayments } from '#server/integrations/payments/closed-payments.ts'
import { confirmDemoPayment, demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { deleteExpiredCheckouts } from '#server/jobs/delete-expired-checkouts.ts'
import { addProduct, addVariant, secondsLater } from '#tests/support/catalog.ts'
import { stockOf, checkoutOf, countOf, milestones, runJobs } from '#tests/support/checkout-state.ts'
import { asCustomer, buy, declinedCard, openCheckout, pay, shipTo } from '#tests/support/checkouts.ts'
import { limitedTo, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a paid checkout becomes an order with its lines, stock, ledger rows, mail and audit entry', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Ibuprofen' })
    const variantId = await addVariant(db, {
      productId,
      priceCents: 1234,
      stockQuantity: 7,
      brandName: 'Advil',
    })
    const ctx = await asCustomer(db)
    const { order, isNew } = await buy(ctx, variantId, { quantity: 2 })
    expect(isNew).toBe(true)
    expect(order).toMatchObject({
      userId: ctx.user?.id,
      status: 'processing',
      totalCents: 2468,
      shippingAddress: '12 Harbour Lane, Portland, ME 04101, United States',
      estimatedDelivery: '2026-01-14',
      customerName: 'Zoë O’Hara',
      items: [
        {
          productVariantId: variantId,
          quantity: 2,
          priceCents: 1234,
          product: { name: 'Ibuprofen', category: 'OTC' },
          variant: { brandName: 'Advil', strength: '200', strengthUnit: 'mg' },
        },
      ],
    })
    expect(await stockOf(db, variantId)).toEqual({ stockQuantity: 5, reservedQuantity: 0, inStock: true })
    expect(await ledgerOf(db, variantId)).toMatchObject([
      { transactionType: 'sale', quantityBefore: 7, quantityChange: -2, quantityAfter: 5 },
    ])
    expect(await milestones(db)).toEqual(['received'])
    const log = await db.selectFrom('auditLog').select(['action', 'objectId']).execute()
    expect(log).toContainEqual({ action: 'order.placed', objectId: order.id })
  })

  test('the expected delivery follows the country of the pharmacy, as checkout says', async () => {
    const db = await openDb()
    const pharmacyId = await addPharmacy(db, { country: 'Canada', shipsTo: ['Canada', 'United States'] })
    const productId = await addProduct(db)
    await db.updateTable('products').set({ pharmacyId }).where('id', '=', productId).execute()
    const variantId = await addVariant(db, { productId })
    const { order } = await buy(await asCustomer(db), variantId)
    const { delivery } = await findDelivery({ db }, { productIds: [productId], country: 'United States' })
    expect(delivery).toContain('7-14')
    expect(order.estimatedDelivery).toBe('2026-01-27')
  })

  test('the delivery time is a sentence', async () => {
    const db = await openDb()
    await addPharmacy(db, { country: 'United States', shipsTo: ['United States'] })
    const ctx = await asCustomer(db)
    await addToCart(ctx, null, { variantId: await addVariant(db), quantity: 1 })
    expect(await getCheckoutView(ctx)).toMatchObject({
      delivery: 'Standard delivery within the United States takes 3-5 business days once shipped.',
      isDestinationServed: true,
    })
  })

  test('no row has the items or the address of an order in plain text', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { brandName: 'Quillfeather' })
    await buy(await asCustomer(db), variantId)
    for (const table of ['checkouts', 'orders', 'outbox', 'shippingAddresses', 'auditLog'] as const) {
      const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
      expect(rows).not.toMatch(/Quillfeather|Harbour|O’Hara|zoe@/)
      expect(rows).not.toContain(variantId)
    }
  })

  test('a new checkout cancels the previous one, its payment and its reservation', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 3 })
    const ctx = await asCustomer(db)
    const first = await openCheckout(ctx, variantId, { quantity: 3 })
    const second = await openCheckout(ctx, variantId, { quantity: 3 })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 3 })
    await expect(pay(db, first.payment)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(finalizeCheckout(ctx, first.payment.id)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
    await pay(db, second.payment)
    expect(await finalizeCheckout(ctx, second.payment.id)).toMatchObject({ isNew: true })
  })

  test('the same form again reuses the payment and reservation with the new address', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 1 })
    const ctx = await asCustomer(db)
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const input = { items, shipTo, prescriptionId: null }
    const first = await startCheckout(ctx, input, { resume: true })
    await expect(
      confirmDemoPayment(db, { clientSecret: first.payment.clientSecret, cardNumber: declinedCard }),
    ).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED', message: 'Your card was declined.' })
    const elsewhere = { text: '1 High St, York, YO1 7HZ, United Kingdom', parts: null }
    const again = await startCheckout(ctx, { ...input, shipTo: elsewhere }, { resume: true })
    expect(again.payment.id).toBe(first.payment.id)
    await pay(db, again.payment)
    const { order } = await finalizeCheckout(ctx, again.payment.id)
    expect(order.shippingAddress).toBe(elsewhere.text)
  })

  test('a checkout paid in another tab is not paid again, even after its hold', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const input = { items: [{ productVariantId: variantId, quantity: 1 }], shipTo, prescriptionId: null }
    const { payment } = await startCheckout(ctx, input, { resume: true })
    await pay(db, payment)
    const again = await startCheckout({ ...ctx, now: secondsLater(1000) }, input, { resume: true })
    expect(again.payment).toMatchObject({ id: payment.id, status: 'succeeded' })
    expect(await countOf(db, 'checkouts')).toBe(1)
  })

  test('a price change does not affect an open checkout; a new one has the new price', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { priceCents: 500 })
    const ctx = await asCustomer(db)
    const { payment, totalCents } = await openCheckout(ctx, variantId)
    await db.updateTable('productVariants').set({ priceCents: 900 }).where('id', '=', variantId).execute()
    await pay(db, payment)
    expect(totalCents).toBe(500)
    expect((await finalizeCheckout(ctx, payment.id)).order.totalCents).toBe(500)
    expect((await openCheckout(ctx, variantId)).totalCents).toBe(900)
  })

  test.each([
    ['nothing', []],
    ['quantity -1', [{ quantity: -1 }]],
    ['quantity 0', [{ quantity: 0 }]],
    ['quantity 1.5', [{ quantity: 1.5 }]],
    ['quantity 1,000', [{ quantity: 1000 }]],
    ['500 twice', [{ quantity: 500 }, { quantity: 500 }]],
    ['something that is not there', [{ quantity: 1, productVariantId: newId() }]],
    ['no id', [{ quantity: 1, productVariantId: '1; drop table' }]],
  ])('%s is rejected with a field message, and nothing is reserved', async (_name, requested) => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 2000 })
    const ctx = await asCustomer(db)
    const items = requested.map((item) => ({ productVariantId: variantId, ...item }))
    await expect(startCheckout(ctx, { items, shipTo, prescriptionId: null })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { items: expect.any(String) },
    })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 0 })
  })

  test('a fifty-first line is rejected', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const items = Array.from({ length: 51 }, () => ({ productVariantId: newId(), quantity: 1 }))
    await expect(startCheckout(ctx, { items, shipTo, prescriptionId: null })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { items: 'An order can have at most 50 different items.' },
    })
  })

  test.each([
    ['a controlled medicine', { controlledSchedule: 'CII' }, {}],
    ['one without a price', {}, { priceCents: null }],
    ['one at 0', {}, { priceCents: 0 }],
    ['one that is switched off', {}, { inStock: false }],
    ['more than there is', {}, { stockQuantity: 1 }],
  ])('%s cannot be reserved', async (_name, product, variant) => {
    const db = await openDb()
    const productId = await addProduct(db, product)
    const variantId = await addVariant(db, { productId, ...variant })
    await expect(openCheckout(await asCustomer(db), variantId, { quantity: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 0 })
  })

  test('an untracked variant sells without ledger rows', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { trackInventory: false, stockQuantity: 0, inStock: true })
    await buy(await asCustomer(db), variantId, { quantity: 5 })
    expect(await stockOf(db, variantId)).toEqual({ stockQuantity: 0, reservedQuantity: 0, inStock: true })
    expect(await ledgerOf(db, variantId)).toEqual([])
  })

  test('selling the last unit puts the variant and its product out of stock', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { inStock: true })
    const variantId = await addVariant(db, { productId, stockQuantity: 1 })
    await buy(await asCustomer(db), variantId)
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 0, inStock: false })
    await countUnitsSold(testContext(db))
    const product = await db
      .selectFrom('products')
      .select(['inStock', 'unitsSold'])
      .where('id', '=', productId)
      .executeTakeFirst()
    expect(product).toEqual({ inStock: false, unitsSold: 1 })
  })

  test('an unpaid, another customer’s and an unknown payment create no order', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, await addVariant(db))
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
    await pay(db, payment)
    const input = { userId: newId() }
    await expect(finalizeCheckout(ctx, payment.id, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(finalizeCheckout(ctx, 'pi_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(finalizeCheckout(ctx, payment.id, { totalCents: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await countOf(db, 'orders')).toBe(0)
    expect(await finalizeCheckout(ctx, payment.id, { totalCents: 500 })).toMatchObject({ isNew: true })
  })

  test('a payment without an address or prescription stays usable, and is voided when neither comes in time', async () => {
    const db = await openDb()
    const rx = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }), stockQuantity: 5 })
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, rx, { shipTo: null })
    await pay(db, payment)
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { shippingAddress: 'Missing Shipping Information' },
    })
    await expect(finalizeCheckout(ctx, payment.id, { shipTo })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { prescriptionId: 'Please select a prescription for prescription items' },
    })
    await runJobs(ctx, secondsLater(60))
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'paid' })
    expect(await stockOf(db, rx)).toMatchObject({ stockQuantity: 5, reservedQuantity: 1 })
    await runJobs(ctx, secondsLater(1000))
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'refunded', checkAt: null })
    expect(await stockOf(db, rx)).toMatchObject({ stockQuantity: 5, reservedQuantity: 0 })
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({
      status: 'canceled',
      capturedCents: 0,
      refundedCents: 0,
    })
    expect(await milestones(db)).toEqual(['voided'])
    expect(await countOf(db, 'refunds')).toBe(0)
    await expect(finalizeCheckout(ctx, payment.id, { shipTo })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This payment was voided. Your card was not charged.',
    })
  })

  test('an Rx order accepts only the customer’s own prescription, approved or under review', async () => {
    const db = await openDb()
    const rx = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
    const ctx = await asCustomer(db)
    const userId = ctx.user?.id ?? ''
    const own = await addPrescription(db, userId)
    const expired = await addPrescription(db, userId, {
      expiryDate: '2026-01-03',
      prescriptionDate: '2026-01-02',
    })
    const rejected = await addPrescription(db, userId)
    await db.updateTable('prescriptions').set({ status: 'rejected' }).where('id', '=', rejected.id).execute()
    const other = await addPrescription(db, (await asCustomer(db)).user?.id ?? '')
    for (const prescriptionId of [expired.id, rejected.id, other.id, newId(), 'x']) {
      await expect(openCheckout(ctx, rx, { prescriptionId })).rejects.toMatchObject({
        fields: { prescriptionId: 'Please select a prescription for prescription items' },
      })
    }
    const { payment } = await openCheckout(ctx, rx, { prescriptionId: own.id })
    await pay(db, payment)
    await expect(finalizeCheckout(ctx, payment.id, { prescriptionId: rejected.id })).rejects.toMatchObject({
      code: 'INVALID',
    })
    const { order } = await finalizeCheckout(ctx, payment.id)
    expect(order).toMatchObject({ hasRx: true, prescriptionId: own.id })
  })

  test('an order removes its items from the cart and saves the address', async () => {
    const db = await openDb()
    const [bought, other] = [await addVariant(db), await addVariant(db)]
    const ctx = await asCustomer(db)
    for (const variantId of [bought, other]) await addToCart(ctx, null, { variantId, quantity: 1 })
    await buy(ctx, bought)
    await buy(ctx, bought)
    expect((await getCart(ctx, null)).cart.lines.map((line) => line.variant.id)).toEqual([other])
    expect(await listAddresses(ctx)).toMatchObject([{ streetAddress: '12 Harbour Lane', isDefault: true }])
  })

  test('a price change is rejected for the cart’s form, also when resuming a checkout', async () => {
    const db = await openDb()
    const productVariantId = await addVariant(db, { priceCents: 500 })
    const ctx = await asCustomer(db)
    await addToCart(ctx, null, { variantId: productVariantId, quantity: 1 })
    const input = { items: [{ productVariantId, quantity: 1 }], shipTo, prescriptionId: null }
    const shownAt = (priceCents: number) =>
      computeFingerprint([{ productVariantId, quantity: 1, priceCents }])
    const startShown = (cents: number) =>
      startCheckout(ctx, input, { resume: true, seenFingerprint: shownAt(cents) })
    const refused = { code: 'CONFLICT', message: 'Your cart has changed. Review it, then place your order.' }
    await expect(startShown(400)).rejects.toMatchObject(refused)
    expect(await stockOf(db, productVariantId)).toMatchObject({ reservedQuantity: 0 })
    const resumed = await startShown(500)
    expect(resumed.totalCents).toBe(500)
    await expect(startShown(600)).rejects.toMatchObject(refused)
  })

  test('a cancelled checkout is deleted after a week, an ordered one is not', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    await buy(ctx, variantId)
    await openCheckout(ctx, variantId)
    await runJobs(ctx, secondsLater(1000))
    const week = 7 * 24 * 3600
    await deleteExpiredCheckouts({ db, now: () => secondsLater(1000 + week - 1) })
    expect(await countOf(db, 'checkouts')).toBe(2)
    await deleteExpiredCheckouts({ db, now: () => secondsLater(1001 + week) })
    expect(await db.selectFrom('checkouts').select('status').execute()).toEqual([{ status: 'ordered' }])
  })

  test('an account that starts too many checkouts is rate-limited', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const limits = limitedTo('checkout', { limit: 2, windowSeconds: 3600 })
    const ctx = await asCustomer(db, { rateLimits: limits })
    await openCheckout(ctx, variantId)
    await openCheckout(ctx, variantId)
    await expect(openCheckout(ctx, variantId)).rejects.toMatchObject({ code: 'TOO_MANY', retryAfter: 3600 })
  })

  test('failures of the payment provider do not use up an account’s limit', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db, {
      rateLimits: limitedTo('checkout', { limit: 2, windowSeconds: 3600 }),
    })
    const away = async (): Promise<never> => {
      throw new AppError('UNAVAILABLE')
    }
    const hosted = { createSession: away, findSession: away, expireSession: away }
    const failing = {
      ...ctx,
      payments: { ...ctx.payments, hosted, createPayment: away, cancelPayment: away },
    }
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const page = { seenFingerprint: '', successUrl: '', cancelUrl: '' }
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(openCheckout(failing, variantId)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
    await openCheckout(ctx, variantId)
    // Its payment cannot be canceled.
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(openCheckout(failing, variantId)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await expect(
        startHostedCheckout(failing, { items, shipTo: null, prescriptionId: null }, page),
      ).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
    await openCheckout(ctx, variantId)
    // What the customer is refused for counts.
    await expect(openCheckout(ctx, variantId)).rejects.toMatchObject({ code: 'TOO_MANY' })
  })

  test('a checkout requires sign-in', async () => {
    const db = await openDb()
    await expect(openCheckout(testContext(db), await addVariant(db))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })
})

test.each([
  ['open', 'processing'],
  ['complete', 'processing'],
  ['expired', 'canceled'],
] as const)('a provider’s page that is %s and names no payment is %s', async (status, expected) => {
  const session = { id: 'cs_1', status, url: null, paymentId: null, checkoutId: null }
  const answer = async () => session
  const hosted = { createSession: answer, findSession: answer, expireSession: answer }
  const payments = { ...closedPayments, hosted }
  expect(await cancelCheckoutPayment({ payments }, { paymentId: null, sessionId: 'cs_1' })).toBe(expected)
})
