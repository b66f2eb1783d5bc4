import { AppError } from '#domain/errors.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import {
  completeDemoPayment,
  confirmDemoPayment,
  demoPayments,
} from '#server/integrations/payments/demo-payments.ts'
import { addVariant, secondsLater } from '#tests/support/catalog.ts'
import { stockOf, checkoutOf, countOf, milestones, runJobs } from '#tests/support/checkout-state.ts'
import { asCustomer, openCheckout, pay } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a payment for sold-out stock is refunded once with an email, and nothing is oversold', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 1 })
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    // The reserved unit is lost to breakage.
    await db.updateTable('productVariants').set({ stockQuantity: 0 }).where('id', '=', variantId).execute()
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => finalizeCheckout(ctx, payment.id)),
    )
    for (const one of attempts)
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } })
    await runJobs(ctx, secondsLater(1))
    await runJobs(ctx, secondsLater(100))
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({ refundedCents: 500 })
    expect(await countOf(db, 'demoRefunds')).toBe(1)
    expect(await countOf(db, 'orders')).toBe(0)
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 0, reservedQuantity: 0 })
    expect(await milestones(db)).toEqual(['refunded'])
  })

  test('the reconciler creates the order of a browser that paid and never came back', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    await runJobs(ctx, secondsLater(29))
    expect(await countOf(db, 'orders')).toBe(0)
    await runJobs(ctx, secondsLater(31))
    expect(await countOf(db, 'orders')).toBe(1)
    expect(await finalizeCheckout(ctx, payment.id)).toMatchObject({ isNew: false })
  })

  test('an unpaid checkout is checked during its hold, then canceled at the provider and released', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await runJobs(ctx, secondsLater(31))
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'open', checkAt: secondsLater(31 + 45) })
    await runJobs(ctx, secondsLater(890))
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'open', checkAt: secondsLater(900) })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 1 })
    await runJobs(ctx, secondsLater(901))
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'cancelled', checkAt: null })
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 100, reservedQuantity: 0 })
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({ status: 'canceled' })
  })

  test('a verification confirmed at the last moment becomes an order', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, await addVariant(db))
    const { clientSecret } = payment
    await confirmDemoPayment(db, { clientSecret, cardNumber: '4000002500003155' })
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
    await completeDemoPayment(db, { clientSecret, outcome: 'succeed' })
    await runJobs(ctx, secondsLater(2000))
    expect(await countOf(db, 'orders')).toBe(1)
  })

  test('a checkout whose process died before storing its payment is soon released', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await db.updateTable('checkouts').set({ paymentId: null }).execute()
    await runJobs(ctx, secondsLater(31))
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 0 })
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a failing provider reserves nothing, returns Retry-After and charges nothing', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const away = (): never => {
      throw new AppError('UNAVAILABLE')
    }
    const ctx = await asCustomer(db)
    const failing = { ...ctx, payments: { ...ctx.payments, createPayment: away } }
    await expect(openCheckout(failing, variantId)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Failed to initialize checkout. Please try again.',
      retryAfter: 5,
    })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 0 })
    // Stock is released only after the provider confirms that the payment can no longer succeed.
    await openCheckout(ctx, variantId)
    const unreachable = { ...ctx, payments: { ...ctx.payments, cancelPayment: away } }
    await expect(openCheckout(unreachable, variantId)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Failed to initialize checkout. Please try again.',
      retryAfter: 5,
    })
    await runJobs(unreachable, secondsLater(1000))
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 1 })
  })

  test('a failed refund is retried with its key and made once', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId, { shipTo: null })
    await pay(db, payment)
    const { refund } = ctx.payments
    const keys: string[] = []
    const actsAndDies = async (requested: Parameters<typeof refund>[0]) => {
      keys.push(requested.key)
      const given = await refund(requested)
      if (keys.length < 3) throw new AppError('UNAVAILABLE')
      return given
    }
    const flaky = { ...ctx, payments: { ...ctx.payments, refund: actsAndDies } }
    for (const seconds of [31, 901, 1000, 1100, 1200, 1300]) await runJobs(flaky, secondsLater(seconds))
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(await countOf(db, 'demoRefunds')).toBe(1)
    expect(await milestones(db)).toEqual(['refunded'])
  })

  test('a payment partly refunded outside the shop creates no order, and the rest is refunded', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    await ctx.payments.refund({ paymentId: payment.id, amountCents: 200, key: 'by hand' })
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await runJobs(ctx, secondsLater(31))
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({ refundedCents: 500 })
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 100, reservedQuantity: 0 })
  })

  test('a customer deleted after paying gets a refund', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    await db.deleteFrom('users').execute()
    await expect(finalizeCheckout(ctx, payment.id)).rejects.toMatchObject({
      message: 'This account no longer exists. We’ll refund your payment in full.',
    })
    await runJobs(ctx, secondsLater(31))
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({ refundedCents: 500 })
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 100, reservedQuantity: 0 })
  })
})
