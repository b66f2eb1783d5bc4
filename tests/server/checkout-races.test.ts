import { lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import type { Payment } from '#server/integrations/payments/payments.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { addProduct, addVariant, testDay, secondsLater } from '#tests/support/catalog.ts'
import { stockOf, countOf, milestones, runJobs } from '#tests/support/checkout-state.ts'
import { asCustomer, openCheckout, pay, shipTo } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test, vi } from 'vitest'

eachEngine((engine, openDb) => {
  test('finalizing a payment 50 times at once creates one order', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 9 })
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    const all = await Promise.all(Array.from({ length: 50 }, () => finalizeCheckout(ctx, payment.id)))
    expect(new Set(all.map(({ order }) => order.id)).size).toBe(1)
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 8, reservedQuantity: 0 })
    expect(await milestones(db)).toEqual(['received'])
  })

  test('of eight buyers of the last unit, one reserves it and the others fail before paying', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 1 })
    const buyers = await Promise.all(Array.from({ length: 8 }, () => asCustomer(db)))
    const attempts = await Promise.allSettled(buyers.map((ctx) => openCheckout(ctx, variantId)))
    const refused = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []))
    expect(refused.map(({ code, message }) => `${code} ${message}`)).toEqual(
      Array.from({ length: 7 }, () => 'CONFLICT Ibuprofen: Out of stock.'),
    )
    expect(await stockOf(db, variantId)).toEqual({ stockQuantity: 1, reservedQuantity: 1, inStock: true })
    expect(await countOf(db, 'checkouts')).toBe(1)
  })

  test('orders of the same medicines in different order do not deadlock', async () => {
    const db = await openDb()
    const [a, b] = [await addVariant(db), await addVariant(db)]
    const buyers = await Promise.all(Array.from({ length: 10 }, () => asCustomer(db)))
    await Promise.all(
      buyers.map(async (ctx, i) => {
        const ids = i % 2 ? [a, b] : [b, a]
        const items = ids.map((productVariantId) => ({ productVariantId, quantity: 1 }))
        const { payment } = await startCheckout(ctx, { items, shipTo, prescriptionId: null })
        await pay(db, payment)
        return finalizeCheckout(ctx, payment.id)
      }),
    )
    expect(await stockOf(db, a)).toMatchObject({ stockQuantity: 90, reservedQuantity: 0 })
    expect(await stockOf(db, b)).toMatchObject({ stockQuantity: 90, reservedQuantity: 0 })
  })

  test('when one of two concurrent checkouts fails to create its payment, the other still works', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const input = { items: [{ productVariantId: variantId, quantity: 1 }], shipTo, prescriptionId: null }
    const others: Payment[] = []
    const createPayment = async (): Promise<never> => {
      others.push((await startCheckout(ctx, input, { resume: true })).payment)
      throw new AppError('UNAVAILABLE')
    }
    const failing = { ...ctx, payments: { ...ctx.payments, createPayment } }
    await expect(startCheckout(failing, input, { resume: true })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 1 })
    for (const payment of others) await pay(db, payment)
    await runJobs(ctx, secondsLater(31))
    expect(await countOf(db, 'orders')).toBe(1)
  })

  test('a checkout that others replace again and again gives up soon at a slow provider', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    await openCheckout(ctx, variantId)
    const clock = performance.now.bind(performance)
    let lateMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + lateMs)
    const cancelPayment = vi.fn<Context['payments']['cancelPayment']>(async (id) => {
      lateMs += 5000
      const payment = await ctx.payments.cancelPayment(id)
      await openCheckout(ctx, variantId)
      return payment
    })
    const slow = { ...ctx, payments: { ...ctx.payments, cancelPayment } }
    await expect(openCheckout(slow, variantId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You started another checkout at the same time. Try again.',
    })
    expect(cancelPayment).toHaveBeenCalledTimes(2)
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 1 })
  })

  test('customers who swap items at the same time do not deadlock', async () => {
    const db = await openDb()
    const [a, b] = [await addVariant(db), await addVariant(db)]
    const buyers = await Promise.all(Array.from({ length: 10 }, () => asCustomer(db)))
    await Promise.all(buyers.map((ctx, i) => openCheckout(ctx, i % 2 ? a : b)))
    await Promise.all(buyers.map((ctx, i) => openCheckout(ctx, i % 2 ? b : a)))
    expect(await stockOf(db, a)).toMatchObject({ reservedQuantity: 5 })
    expect(await stockOf(db, b)).toMatchObject({ reservedQuantity: 5 })
  })

  test('an order that deadlocks with a catalog edit is still created', async () => {
    const db = await openDb()
    const productId = await addProduct(db)
    const variantId = await addVariant(db, { productId })
    const ctx = await asCustomer(db)
    const { payment } = await openCheckout(ctx, variantId)
    await pay(db, payment)
    const edit = db.transaction().execute(async (tx) => {
      await tx.updateTable('products').set({ updatedAt: testDay }).where('id', '=', productId).execute()
      // Until the order waits for the product.
      await sleep(400)
      await tx
        .updateTable('productVariants')
        .set({ updatedAt: testDay })
        .where('id', '=', variantId)
        .execute()
    })
    // The database may abort the edit instead.
    const [, ordered] = await Promise.allSettled([edit, finalizeCheckout(ctx, payment.id)])
    expect(ordered).toMatchObject({ status: 'fulfilled', value: { isNew: true } })
  })

  test('an order waits for its customer before it locks its checkout, as another checkout does', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const userId = ctx.user?.id ?? ''
    const variantId = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
    const { id: prescriptionId } = await addPrescription(db, userId)
    const { checkoutId, payment } = await openCheckout(ctx, variantId, { prescriptionId })
    await pay(db, payment)
    const other = db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      // Until the order waits for the customer.
      await sleep(400)
      const checkout = tx.selectFrom('checkouts').select('id').where('id', '=', checkoutId)
      return (engine === 'postgres' ? checkout.forUpdate().noWait() : checkout).execute()
    })
    const [locked, ordered] = await Promise.all([other, finalizeCheckout(ctx, payment.id)])
    expect([locked, ordered]).toMatchObject([[{ id: checkoutId }], { isNew: true }])
  })

  test('ten concurrent checkouts of a customer leave one open with one reservation', async () => {
    const db = await openDb()
    const variantId = await addVariant(db)
    const ctx = await asCustomer(db)
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => openCheckout(ctx, variantId)))
    expect(attempts.some((one) => one.status === 'fulfilled')).toBe(true)
    for (const one of attempts)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' })
    const opened = await db.selectFrom('checkouts').selectAll().where('status', '=', 'open').execute()
    expect(opened).toHaveLength(1)
    expect(await stockOf(db, variantId)).toMatchObject({ reservedQuantity: 1 })
  })
})
