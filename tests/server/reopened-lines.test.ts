import { didNotLeaveInputSchema, refuseInputSchema } from '#domain/dispensing/case-inputs.ts'
import { americanSchedule } from '#server/catalog/directory/schedules.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { openContent, sealOrder } from '#server/orders/sealed-order.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { didNotLeave, reopenLine } from '#server/reviews/reopen-line.ts'
import { reopenExpiredLines } from '#server/reviews/reopen-expired-lines.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacist, clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { dayMs, msLater, lineOf, openCase, prescriptionOf, refusal } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('an item that cannot be read does not keep others from the queue when they expire', async () => {
    const db = await openDb()
    const items = [{ validUntil: '2026-01-10' }]
    const clear = async () => {
      const { pharmacist, order, variantId } = await openCase(db)
      const opened = prescriptionOf(await getCase(pharmacist, order.id))
      const transcribed = await transcribe(pharmacist, opened, [variantId], { items })
      await clearLine(pharmacist, clearInputOf(lineOf(transcribed)))
      return order.id
    }
    const [first, second] = [await clear(), await clear()]
    const reviews = db.selectFrom('lineReviews').select(['orderId', 'status'])
    await db
      .updateTable('prescriptionItems')
      .set({ sealedItem: 'broken' })
      .where('id', 'in', (item) =>
        item
          .selectFrom('lineReviews')
          .select('lineReviews.itemId')
          .where('orderId', '=', first)
          .where('itemId', 'is not', null),
      )
      .execute()
    await expect(reopenExpiredLines({ db, keys: testKeys, now: msLater(6 * dayMs) })).rejects.toThrow(
      'could not be checked',
    )
    expect(await reviews.where('orderId', 'in', [first, second]).orderBy('orderId').execute()).toEqual([
      { orderId: first, status: 'cleared' },
      { orderId: second, status: 'waiting' },
    ])
  })

  test('a cleared line returns to the queue when its item expires or loses its approval', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription } = await openCase(db)
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const items = [{ validUntil: '2026-01-10' }]
    await clearLine(
      pharmacist,
      clearInputOf(lineOf(await transcribe(pharmacist, opened, [variantId], { items }))),
    )
    const { keys } = pharmacist
    await reopenExpiredLines({ db, keys, now: msLater(5 * dayMs) })
    expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('cleared')
    await reopenExpiredLines({ db, keys, now: msLater(6 * dayMs) })
    const expired = await getCase({ ...pharmacist, now: msLater(6 * dayMs) }, order.id)
    expect(lineOf(expired)).toMatchObject({
      status: 'waiting',
      candidates: [{ problem: { kind: 'expired' } }],
    })

    const current = await getCase(pharmacist, order.id)
    await clearLine(pharmacist, clearInputOf(lineOf(current)))
    const link = 'https://shop.example'
    await decidePrescription(pharmacist, prescription.id, { status: 'under_review' }, { link })
    expect(lineOf(await getCase(pharmacist, order.id))).toMatchObject({
      status: 'waiting',
      fillStatus: 'reserved',
    })
    // An approval by status alone allows nothing that is too old.
    await db.updateTable('prescriptions').set({ sealedTranscription: null }).execute()
    expect(
      await refusal(
        decidePrescription(
          { ...pharmacist, now: msLater(400 * dayMs) },
          prescription.id,
          { status: 'approved' },
          { link },
        ),
      ),
    ).toMatchObject({ code: 'CONFLICT' })
  })

  test('a dispensed line that did not leave is cleared again', async () => {
    const db = await openDb()
    const { pharmacist, order } = await openCase(db)
    await clearOrder(db, order.id)
    const input = async () => {
      const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
      return didNotLeaveInputSchema.parse({ lineId, version, reason: 'Found on the shelf' })
    }
    expect(await refusal(didNotLeave(pharmacist, await input()))).toMatchObject({ code: 'CONFLICT' })
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    await db.updateTable('orders').set({ status: 'shipped' }).execute()
    expect(await refusal(didNotLeave(pharmacist, await input()))).toMatchObject({ code: 'CONFLICT' })
    await db.updateTable('orders').set({ status: 'processing' }).execute()
    const returned = await didNotLeave(pharmacist, await input())
    expect(lineOf(returned)).toMatchObject({
      status: 'waiting',
      fillStatus: null,
      decision: { notes: [{ kind: 'return', text: 'Found on the shelf' }] },
    })
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(returned)))
    expect(cleared.history.map(({ status }) => status)).toEqual(['cleared'])
    const { id: lineId, version } = lineOf(cleared)
    expect(lineOf(await reopenLine(pharmacist, { lineId, version }))).toMatchObject({
      status: 'waiting',
      fillStatus: 'reserved',
    })
  })

  test('a dispensed line that was refused since stays refused when it did not leave', async () => {
    const db = await openDb()
    // With another line, so that the order is not cancelled.
    const { ctx, order, prescription } = await placeHeldOrder(db)
    await clearOrder(db, order.id)
    await runMoneyJobs(ctx)
    const pharmacist = await addPharmacist(db)
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    const link = 'https://shop.example'
    await decidePrescription(
      pharmacist,
      prescription.id,
      { status: 'rejected', statusReason: 'Revoked' },
      { link },
    )
    const inputFor = async (reason: string) => {
      const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
      return { lineId, version, reason }
    }
    await refuseLine(pharmacist, refuseInputSchema.parse(await inputFor('Revoked')))
    const input = didNotLeaveInputSchema.parse(await inputFor('Found on the shelf'))
    expect(lineOf(await didNotLeave(pharmacist, input))).toMatchObject({
      status: 'refused',
      fillStatus: null,
    })
  })

  test('an earlier shop’s lines get a review, and pseudoephedrine is no longer sold', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription, customerId } = await openCase(db)
    // As before migration 0032: no review, and the line names no medicine.
    const row = await db.selectFrom('orders').select(['id', 'sealedOrder']).executeTakeFirstOrThrow()
    const content = openContent(testKeys, row)
    const lines = content.lines.map(({ medicine: _medicine, units: _units, ...line }) => line)
    const sealedOrder = sealOrder(testKeys, order.id, { ...content, lines })
    await db.updateTable('orders').set({ sealedOrder }).execute()
    await db.deleteFrom('lineReviews').execute()
    const cold = await addProduct(db, { name: 'Cold relief', ingredients: 'Ibuprofen; Pseudoephedrine' })
    const rinse = await addProduct(db, { name: 'Drops', ingredients: 'Phenylephrine' })
    const deleted = await addVariant(db, { productId: cold })
    await db.updateTable('productVariants').set({ deletedAt: testDay }).where('id', '=', deleted).execute()
    const readSchedule = (id: string) =>
      db.selectFrom('productVariants').select('controlledSchedule').where('id', '=', id).execute()
    for (const _run of [1, 2]) await completeEarlierData(testContext(db))
    const opened = await getCase(pharmacist, order.id)
    expect(lineOf(opened)).toMatchObject({
      status: 'waiting',
      prescriptionId: prescription.id,
      units: 48,
      medicine: { ingredientSet: 'lisinopril', strength: '10 mg' },
    })
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    expect(lineOf(await clearLine(pharmacist, clearInputOf(lineOf(transcribed)))).status).toBe('cleared')

    expect(await readSchedule(deleted)).toEqual([{ controlledSchedule: 'CSA scheduled listed chemical' }])
    const added = await addVariant(db, { productId: cold })
    await completeEarlierData(testContext(db))
    expect(await readSchedule(added)).toEqual([{ controlledSchedule: 'CSA scheduled listed chemical' }])
    const items = [{ productVariantId: added, quantity: 1 }]
    expect((await refusal(placeOrder(db, customerId, { items }))).message).toContain('Not available online.')
    const other = await db
      .selectFrom('products')
      .select('controlledSchedule')
      .where('id', '=', rinse)
      .execute()
    expect(other).toEqual([{ controlledSchedule: null }])
    expect(americanSchedule(['ibuprofen', 'pseudoephedrine'], 'tablet')).toBe('CSA scheduled listed chemical')
  })
})
