import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { listPrescribedVariants } from '#server/dispensing/list-prescribed-variants.ts'
import { resolveLines } from '#server/dispensing/resolve-lines.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, pay, shipTo } from '#tests/support/checkouts.ts'
import { addItem, medicineOf } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

/** A customer with a transcribed prescription for 30 tablets of a medicine. */
async function withItem(db: Db, item: Partial<Parameters<typeof addItem>[1]> = {}) {
  const ctx = await asCustomer(db)
  const userId = ctx.user?.id ?? ''
  const productId = await addProduct(db, { name: 'Lisinopril', category: 'Rx', ingredients: 'Lisinopril' })
  const packs = { productId, genericName: 'Lisinopril', packageSize: 30, strength: '10', stockQuantity: 999 }
  const variantId = await addVariant(db, packs)
  const strongerId = await addVariant(db, { ...packs, strength: '20' })
  const prescription = await addPrescription(db, userId)
  const itemId = await addItem(db, {
    userId,
    prescriptionId: prescription.id,
    variantId,
    unitsPerFill: 30,
    refills: 1,
    ...item,
  })
  return { ctx, userId, variantId, strongerId, prescriptionId: prescription.id, itemId }
}

const start = (
  ctx: Context,
  productVariantId: string,
  { quantity = 1, prescriptionId = null as string | null } = {},
) => startCheckout(ctx, { items: [{ productVariantId, quantity }], shipTo, prescriptionId })

async function order(ctx: Context, variantId: string, options: Parameters<typeof start>[2] = {}) {
  const { payment } = await start(ctx, variantId, options)
  await pay(ctx.db, payment)
  return (await finalizeCheckout(ctx, payment.id)).order
}

const fillsOf = (db: Db) =>
  db.selectFrom('fills').select(['status', 'orderId', 'itemId']).orderBy('id').execute()

const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({
    code,
    ...(code === 'CONFLICT' ? { message: expect.stringMatching(message) } : {}),
  })

const at = (ctx: Context, day: string): Context => ({ ...ctx, now: new Date(`${day}T12:00:00Z`) })

eachEngine((_engine, openDb) => {
  test('a covered line reserves a fill at checkout, which becomes the order’s', async () => {
    const db = await openDb()
    const { ctx, variantId, itemId, prescriptionId } = await withItem(db)
    const { payment } = await start(ctx, variantId)
    expect(await fillsOf(db)).toEqual([{ status: 'reserved', orderId: null, itemId }])
    await pay(db, payment)
    const placed = (await finalizeCheckout(ctx, payment.id)).order
    expect(placed.prescriptionId).toBe(prescriptionId)
    expect(await fillsOf(db)).toEqual([{ status: 'reserved', orderId: placed.id, itemId }])
    expect(await db.selectFrom('lineReviews').selectAll().execute()).toMatchObject([
      { orderId: placed.id, status: 'waiting', itemId, prescriptionId, version: 1 },
    ])
  })

  test('a prescription that lost its approval covers nothing', async () => {
    const db = await openDb()
    const { ctx, userId, variantId, prescriptionId } = await withItem(db)
    const line = { variantId, medicine: await medicineOf(db, variantId), units: 30 }
    for (const status of ['rejected', 'under_review'] as const) {
      await db.updateTable('prescriptions').set({ status }).where('id', '=', prescriptionId).execute()
      expect((await resolveLines(ctx, userId, [line])).get(variantId)?.all).toEqual({
        kind: 'needs prescription',
      })
      await expect(order(ctx, variantId)).rejects.toEqual(refusal('INVALID', /prescription/))
    }
    expect(await fillsOf(db)).toEqual([])
  })

  test('a replaced, expired or cancelled purchase releases its fill', async () => {
    const db = await openDb()
    const { ctx, variantId } = await withItem(db)
    await start(ctx, variantId)
    await start(ctx, variantId)
    expect((await fillsOf(db)).map(({ status }) => status)).toEqual(['released', 'reserved'])
    const later = new Date(testDay.getTime() + 3600_000)
    await reconcileCheckouts({ ...ctx, now: () => later }, ctx, new AbortController().signal)
    expect((await fillsOf(db)).map(({ status }) => status)).toEqual(['released', 'released'])
    const placed = await order(ctx, variantId)
    await cancelOrder(ctx, placed.id)
    expect((await fillsOf(db)).map(({ status }) => status)).toEqual(['released', 'released', 'released'])
    expect((await order(ctx, variantId)).status).toBe('processing')
  })

  test('too much, another strength, too early and nothing left are refused before payment', async () => {
    const db = await openDb()
    const { ctx, variantId, strongerId, prescriptionId } = await withItem(db)
    const refused = async (call: Promise<unknown>, code: string, message: RegExp) => {
      const error = await call.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(AppError)
      expect(error).toEqual(refusal(code, message))
      if (error instanceof AppError && code === 'INVALID') {
        expect(error.fields?.['prescriptionId']).toMatch(message)
      }
    }
    await refused(start(ctx, variantId, { quantity: 377 }), 'INVALID', /at most 30 tablets/)
    await refused(start(ctx, strongerId, { prescriptionId }), 'INVALID', /this prescription is for 10 mg/)
    await order(ctx, variantId)
    await refused(start(ctx, variantId), 'CONFLICT', /in progress/)
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    await refused(start(at(ctx, '2026-01-27'), variantId), 'CONFLICT', /Available from Jan 28/)
    await order(at(ctx, '2026-01-28'), variantId)
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    await refused(start(at(ctx, '2026-06-01'), variantId), 'CONFLICT', /No refills left/)
    expect(await db.selectFrom('checkouts').select('id').where('status', '=', 'open').execute()).toEqual([])
  })

  test('a prescription that was never transcribed sends the line to a pharmacist', async () => {
    const db = await openDb()
    const { ctx, userId, strongerId } = await withItem(db)
    const uploaded = await addPrescription(db, userId)
    const placed = await order(ctx, strongerId, { prescriptionId: uploaded.id })
    expect(await fillsOf(db)).toEqual([])
    expect(await db.selectFrom('lineReviews').selectAll().execute()).toMatchObject([
      { orderId: placed.id, status: 'waiting', itemId: null, fillId: null, prescriptionId: uploaded.id },
    ])
  })

  test('an order that names another medicine’s prescription is refused and stays payable', async () => {
    const db = await openDb()
    const { ctx, strongerId, prescriptionId } = await withItem(db)
    const { payment } = await start(ctx, strongerId)
    await pay(db, payment)
    await expect(finalizeCheckout(ctx, payment.id, { prescriptionId })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { prescriptionId: expect.stringMatching(/for 10 mg/) },
    })
    expect(await db.selectFrom('checkouts').select('status').execute()).toEqual([{ status: 'paid' }])
  })

  test('two checkouts of the last refill: one gets it', async () => {
    const db = await openDb()
    const { ctx, variantId, itemId } = await withItem(db, { refills: 0 })
    const results = await Promise.allSettled([
      start(ctx, variantId),
      start(ctx, variantId),
      order(ctx, variantId),
    ])
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
    const counted = (await fillsOf(db)).filter(({ status }) => status !== 'released')
    expect(counted).toMatchObject([{ itemId }])
  })

  test('a product page knows which variants match a current prescription', async () => {
    const db = await openDb()
    const { ctx, variantId, strongerId, itemId } = await withItem(db)
    const product = { name: 'Lisinopril', category: 'Rx', ingredients: 'Lisinopril' }
    const listFor = (context: Context, of = product) =>
      listPrescribedVariants(context, of, [strongerId, variantId])
    expect(await listFor(ctx)).toEqual(new Set([variantId]))
    expect(await listFor({ ...ctx, user: null })).toEqual(new Set())
    expect(await listFor(await asCustomer(db))).toEqual(new Set())
    expect(await listFor(ctx, { ...product, ingredients: 'Enalapril' })).toEqual(new Set())
    expect(await listFor({ ...ctx, now: new Date(testDay.getTime() + 400 * 86_400_000) })).toEqual(new Set())
    await db.updateTable('prescriptionItems').set({ status: 'closed' }).where('id', '=', itemId).execute()
    expect(await listFor(ctx)).toEqual(new Set())
  })

  test('a product page does not count a prescription that is used up', async () => {
    const db = await openDb()
    const { ctx, variantId } = await withItem(db, { refills: 0 })
    const product = { name: 'Lisinopril', category: 'Rx', ingredients: 'Lisinopril' }
    expect(await listPrescribedVariants(ctx, product, [variantId])).toEqual(new Set([variantId]))
    await order(ctx, variantId)
    expect(await listPrescribedVariants(ctx, product, [variantId])).toEqual(new Set())
  })

  test('the cart says what the checkout will do', async () => {
    const db = await openDb()
    const { ctx, userId, variantId, strongerId } = await withItem(db)
    const toLine = async (id: string) => ({ variantId: id, medicine: await medicineOf(db, id), units: 30 })
    const lines = [await toLine(variantId), await toLine(strongerId)]
    await start(ctx, variantId)
    const resolved = await resolveLines(ctx, userId, lines)
    expect(resolved.get(variantId)?.all).toMatchObject({ kind: 'covered', refillsLeft: 1 })
    expect(resolved.get(strongerId)?.all).toMatchObject({
      kind: 'refused',
      problem: { difference: 'strength' },
    })
    expect(await resolveLines(ctx, userId, [])).toEqual(new Map())
  })
})
