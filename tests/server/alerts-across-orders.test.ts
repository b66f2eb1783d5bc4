import type { Db } from '#db/engine/client.ts'
import { insertFills } from '#db/dispensing/fills.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import type { FillContent } from '#domain/dispensing/prescription-item.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { newId } from '#domain/ids.ts'
import { unknownPatient } from '#domain/screening/patient.ts'
import { screenLines } from '#server/alerts/screen-lines.ts'
import { screenItems } from '#server/alerts/screen-shopping.ts'
import type { Context } from '#server/context.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testContext } from '#tests/support/context.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { readAllTherapy } from '#server/dispensing/read-therapy.ts'
import { sealFill } from '#server/dispensing/sealed-item.ts'
import { readOrderContent } from '#server/orders/order-reader.ts'
import { addToList } from '#server/patients/change-record.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { readOrderAlerts } from '#server/alerts/order-alerts.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { screenCase } from '#server/screening/screen-case.ts'
import { refreshAllIngredients } from '#server/screening/refresh-product-ingredients.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  addMedicine,
  dayMs,
  fieldsOf,
  itemOf,
  lineOf,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

/** A fill of an item that left the pharmacy some days before the test day, or waits to. */
async function addFill(
  db: Db,
  ctx: Pick<Context, 'keys'>,
  {
    userId,
    itemId,
    daysAgo,
    ...content
  }: { userId: string; itemId: string; daysAgo: number | null } & FillContent,
): Promise<void> {
  const key = await openUserKey({ db, keys: ctx.keys }, userId)
  if (!key) throw new Error('The user has no key.')
  const id = newId()
  const dispensedAt = daysAgo === null ? null : new Date(testDay.getTime() - daysAgo * dayMs)
  await insertFills(db, [
    {
      id,
      itemId,
      checkoutId: null,
      orderId: newId(),
      lineId: newId(),
      status: dispensedAt ? 'dispensed' : 'reserved',
      sealedFill: sealFill(key, id, content),
      pharmacistId: null,
      createdAt: dispensedAt ?? testDay,
      clearedAt: dispensedAt,
      dispensedAt,
      releasedAt: null,
    },
  ])
}

eachEngine((_engine, openDb) => {
  test('a medicine is screened with what another order of the patient brings, before that one ships', async () => {
    const db = await openDb()
    const opened = await openCase(db)
    const { customer, customerId, pharmacist, order } = opened
    await addCareLists(db, testDay)
    const warfarin = await addMedicine(db, { name: 'Warfarin' })
    await refreshAllIngredients(db)
    await clearOrder(db, order.id)
    expect((await getCase(pharmacist, order.id)).screening?.alerts.map(({ kind }) => kind)).not.toContain(
      'same-ingredient',
    )

    const paper = await addPrescription(db, customerId, { now: testDay })
    const next = await placeOrder(db, customerId, {
      items: [{ productVariantId: warfarin, quantity: 2 }],
      prescriptionId: paper.id,
    })
    const second = (await getCase(pharmacist, next.id)).prescriptions.find(({ id }) => id === paper.id)
    const current = await transcribe(
      pharmacist,
      second ?? prescriptionOf(await getCase(pharmacist, next.id)),
      [warfarin],
    )
    expect(alertOf(current)).toMatchObject({
      level: 'high',
      fact: 'Has Lisinopril 10 mg in another order. A list of interactions warns about taking these together.',
    })
    expect(Object.keys(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(current)))))).toContain(
      'line',
    )

    // The same for what is sold without a prescription.
    const productId = await addProduct(db, { name: 'Ibuprofen', category: 'OTC', ingredients: 'ibuprofen' })
    const ibuprofen = await addVariant(db, { productId, genericName: 'Ibuprofen', strength: '200' })
    await refreshAllIngredients(db)
    const shown = await screenItems(customer, [{ variantId: ibuprofen, quantity: 1 }])
    expect(shown?.view.alerts.map(({ fact }) => fact)).toContainEqual(
      expect.stringMatching(/^You have Lisinopril 10 mg in another order\./),
    )
  })

  test.each([
    ['only of another order that has not shipped does not hold', null, /^shipped$/],
    ['that was dispensed since holds', 0, /Lisinopril has a new alert/],
  ])('an alert with a medicine %s a cleared order back', async (_what, daysAgo, result) => {
    const db = await openDb()
    const { pharmacist, customer, customerId, prescription, order } = await openCase(db)
    await addCareLists(db, testDay)
    const warfarin = await addMedicine(db, { name: 'Warfarin' })
    await refreshAllIngredients(db)
    await clearOrder(db, order.id)
    await runMoneyJobs(testContext(db))
    const itemId = await addItem(db, {
      userId: customerId,
      prescriptionId: prescription.id,
      variantId: warfarin,
    })
    const content = { units: 30, daysSupply: 30, ingredientSet: 'warfarin', patientId: customerId }
    await addFill(db, customer, { userId: customerId, itemId, daysAgo, ...content })
    expect(alertOf(await getCase(pharmacist, order.id)).decision).toBeNull()
    const shipped = setOrderStatus(asAdmin(db), order.id, { status: 'shipped' }).then(
      ({ status }) => status,
      String,
    )
    expect(await shipped).toMatch(result)
  })

  test('a decision on a duplicate does not count for a supply that was added after it', async () => {
    const db = await openDb()
    const { pharmacist, customer, customerId: userId, variantId, prescription, order } = await openCase(db)
    await addCareLists(db, testDay)
    const own = itemOf(
      await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [variantId]),
    )
    const item = { userId, prescriptionId: prescription.id, variantId }
    const content = { units: 30, daysSupply: 30, ingredientSet: 'lisinopril', patientId: userId }
    const addSupply = async (): Promise<void> =>
      addFill(db, customer, { userId, itemId: await addItem(db, item), daysAgo: 0, ...content })
    const decide = async (): Promise<void> => {
      const current = await getCase(pharmacist, order.id)
      expect(alertOf(current)).toMatchObject({ kind: 'same-ingredient', level: 'high' })
      await decideAlert(pharmacist, decisionInputOf(lineOf(current), alertOf(current)))
    }
    const clear = async () => {
      const line = lineOf(await getCase(pharmacist, order.id))
      const itemVersion = line.candidates.find(({ itemId }) => itemId === own.id)?.itemVersion
      const input = { itemId: own.id, itemVersion, earlyNote: 'Agreed with the practice' }
      return clearLine(pharmacist, clearInputOf(line, input))
    }
    const ship = () => setOrderStatus(asAdmin(db), order.id, { status: 'shipped' })

    await addSupply()
    await decide()
    await clear()
    await runMoneyJobs(testContext(db))
    await addSupply()
    expect((await refusal(ship())).message).toContain('has a new alert')
    expect(Object.keys(await fieldsOf(clear()))).toContain('line')
    await decide()
    await clear()
    expect((await ship()).status).toBe('shipped')
  })

  test('a supply counts while it lasts, though its prescription was rejected and a shorter fill came later', async () => {
    const db = await openDb()
    const { customer, customerId, variantId, prescription } = await openCase(db)
    await addCareLists(db, testDay)
    await db.deleteFrom('fills').execute()
    const itemId = await addItem(db, { userId: customerId, prescriptionId: prescription.id, variantId })
    const fill = { userId: customerId, itemId, ingredientSet: 'lisinopril', patientId: customerId }
    await addFill(db, customer, { ...fill, daysAgo: 80, units: 90, daysSupply: 90 })
    await addFill(db, customer, { ...fill, daysAgo: 70, units: 2, daysSupply: 2 })
    await db.updateTable('prescriptions').set({ status: 'rejected' }).execute()

    const productId = await addProduct(db, { name: 'Ibuprofen', category: 'OTC', ingredients: 'ibuprofen' })
    const ibuprofen = await addVariant(db, { productId, genericName: 'Ibuprofen', strength: '200' })
    await refreshAllIngredients(db)
    const shown = await screenItems(customer, [{ variantId: ibuprofen, quantity: 1 }])
    expect(shown?.view.alerts).toMatchObject([
      { level: 'high', fact: expect.stringMatching(/^We dispensed Lisinopril 10 mg to you\./) },
    ])
  })

  test('a refill that is due is no duplicate because a dependant just got the same medicine', async () => {
    const db = await openDb()
    const { customer, customerId: userId, variantId, prescription } = await openCase(db)
    await addCareLists(db, testDay)
    await db.deleteFrom('fills').execute()
    const sofia = await saveDependant(
      customer,
      dependantSchema(testDay).parse({ firstName: 'Sofia', dateOfBirth: '2015-05-05' }),
    )
    const item = { userId, prescriptionId: prescription.id, variantId }
    const fill = { userId, units: 30, daysSupply: 30, ingredientSet: 'lisinopril' }
    const own = await addItem(db, item)
    const sofias = await addItem(db, { ...item, patientId: sofia })
    const renewed = await addItem(db, item)
    await addFill(db, customer, { ...fill, itemId: own, daysAgo: 40, patientId: userId })
    await addFill(db, customer, { ...fill, itemId: sofias, daysAgo: 1, patientId: sofia })
    const key = await openUserKey(customer, userId)
    if (!key) throw new Error('The user has no key.')
    const line = { id: 'line', name: 'Lisinopril', variantId, itemId: renewed, fill: null, lots: null }
    const { alerts } = await screenLines(customer, key, {
      userId,
      patientId: userId,
      lines: [line],
      therapy: await readAllTherapy(customer, key, userId),
    })
    expect(alerts).toEqual([])
  })

  test('a line of a dependant’s prescription is not screened for the customer’s own item', async () => {
    const db = await openDb()
    const { customer, customerId: userId, variantId, prescription, order: placed } = await openCase(db)
    await addCareLists(db, testDay)
    const sofia = await saveDependant(
      customer,
      dependantSchema(testDay).parse({ firstName: 'Sofia', dateOfBirth: '2015-05-05' }),
    )
    await addToList(customer, { patientId: sofia, list: 'medications', name: 'Warfarin' })
    const paper = await addPrescription(db, userId, { now: testDay, patientId: sofia })
    await addItem(db, { userId, prescriptionId: prescription.id, variantId })
    const key = await openUserKey(customer, userId)
    if (!key) throw new Error('The user has no key.')
    const order = await db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', placed.id)
      .executeTakeFirstOrThrow()
    const reviews = (await listLineReviews(db, [placed.id])).map((review) => ({
      ...review,
      itemId: null,
      prescriptionId: paper.id,
      patientId: sofia,
    }))
    const { view } = await readOrderAlerts(customer, key, {
      userId,
      content: readOrderContent(customer.keys, order),
      reviews,
      therapy: await readAllTherapy(customer, key, userId),
    })
    expect(view.alerts.map(({ title }) => title)).toEqual([expect.stringContaining('Warfarin')])
  })

  test('a substance of a dispensed combination that no list knows is reported as not checked', async () => {
    const db = await openDb()
    const { customer, variantId } = await openCase(db)
    await addCareLists(db, testDay)
    const dispensed = {
      name: 'Combination 5 mg',
      itemId: 'item',
      ingredients: 'warfarin; unobtainium',
      substances: 'warfarin, unobtainium',
      route: 'oral',
      strength: '5 mg',
      dispensedOn: testDay.toISOString().slice(0, 10),
      daysSupply: 30,
      refillsFrom: null,
    }
    const line = { id: 'line', name: 'Lisinopril', variantId, itemId: null, fill: null, lots: null }
    const { alerts, notChecked } = await screenCase(customer, {
      lines: [line],
      patient: unknownPatient,
      dispensed: [dispensed],
      turnedDown: [],
    })
    expect(alerts.map(({ key }) => key)).toEqual(['interaction:LISINOPRIL|WARFARIN'])
    expect(notChecked).toEqual([{ kind: 'medication', name: 'unobtainium (in Combination 5 mg)' }])
  })
})
