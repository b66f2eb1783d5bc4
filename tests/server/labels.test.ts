import { replacePharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { listLineReviews, updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { Db } from '#db/engine/client.ts'
import { utcDay } from '#domain/days.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { labelFormSchema } from '#domain/dispensing/label-choices.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { exportAccount } from '#server/privacy/export-account.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { getRecord } from '#server/records/get-record.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { listDraftLabels } from '#server/reviews/list-draft-labels.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { saveLabel } from '#server/reviews/save-label.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { addItem, markCleared, medicineOf } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

/** A pharmacist with a recorded license. */
async function asPharmacist(db: Db) {
  const id = await makeUser(db, { firstName: 'Amara', lastName: 'Diallo' })
  const license = { userId: id, number: 'RPH-1', jurisdiction: 'OR', recordedBy: id, recordedAt: testDay }
  await replacePharmacistLicense(db, license, null)
  return testContext(db, { user: signedIn(id, { roles: ['pharmacist'] }) })
}

/** An order of a brand's generic, covered by an item, and cleared by a pharmacist. */
async function withClearedOrder(db: Db, { daysSupply = 15 } = {}) {
  const ctx = await asCustomer(db)
  const userId = ctx.user?.id ?? ''
  const pharmacist = await asPharmacist(db)
  const pharmacyId = '019a7c1e-0000-7000-8000-0000000000bb'
  await db
    .insertInto('pharmacies')
    .values({
      id: pharmacyId,
      name: 'Harbor Pharmacy',
      country: 'United States',
      licenseNumber: 'OR-1',
      licenseExpiry: '2030-01-01',
      shipsTo: '["United States"]',
      active: true,
      address: '1 Quay\nPortland, OR 97201',
      phone: '+1 503 555 0147',
      createdAt: testDay,
      updatedAt: testDay,
    })
    .execute()
  const productId = await addProduct(db, { name: 'Abacavir', category: 'Rx', ingredients: 'Abacavir' })
  await db.updateTable('products').set({ pharmacyId }).where('id', '=', productId).execute()
  const sold = {
    productId,
    genericName: 'Abacavir sulfate',
    strength: '300',
    packageSize: 30,
    ndc: '0378-4105-91',
  }
  const variantId = await addVariant(db, { ...sold, brandName: null, stockQuantity: 99 })
  const { id: prescriptionId } = await addPrescription(db, userId)
  const brandId = await addVariant(db, { ...sold, ndc: null, brandName: 'Ziagen' })
  await addItem(db, {
    userId,
    prescriptionId,
    variantId,
    medicine: await medicineOf(db, brandId),
    unitsPerFill: 30,
    daysSupply,
    refills: 2,
    directions: '1 tab po bid',
  })
  const { order } = await buy(ctx, variantId)
  await markCleared(db, order.id)
  for (const review of await listLineReviews(db, [order.id])) {
    await updateLineReview(db, {
      lineId: review.lineId,
      version: review.version,
      decidedBy: pharmacist.user?.id ?? '',
    })
  }
  return { ctx, userId, pharmacist, orderId: order.id, lineId: order.items[0]?.id ?? '' }
}

const form = (values: Record<string, string> = {}) =>
  labelFormSchema.parse({ version: '0', storage: 'room', ...values })

const actions = async (db: Db) =>
  (
    await db
      .selectFrom('auditLog')
      .select('action')
      .where('action', 'in', ['label.read', 'label.changed'])
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

class Crash extends Error {}

/** A database that counts its statements, and fails at one of them. */
function countStatements(db: Db, failsAt = Infinity) {
  const count = { statements: 0 }
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      count.statements += 1
      if (count.statements === failsAt) throw new Crash()
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { counted, count }
}

eachEngine((_engine, openDb) => {
  test('the order, its reviews, fills, refunds and items are read once for all drafts', async () => {
    const db = await openDb()
    const { ctx, userId, pharmacist } = await withClearedOrder(db)
    const productId = await addProduct(db, { name: 'Zorbidon', category: 'Rx', ingredients: 'Zorbidon' })
    const variantIds = [
      await addVariant(db, { productId, packageSize: 10, stockQuantity: 99 }),
      await addVariant(db, { productId, packageSize: 20, stockQuantity: 99 }),
      await addVariant(db, { productId, packageSize: 40, stockQuantity: 99 }),
    ]
    const countFor = async (ids: string[]) => {
      const items = ids.map((productVariantId) => ({ productVariantId, quantity: 1 }))
      const { id: prescriptionId } = await addPrescription(db, userId)
      const { order } = await buy(ctx, '', { items, prescriptionId })
      await markCleared(db, order.id)
      // The first call compiles the prepared statements.
      await listDraftLabels(pharmacist, order.id)
      const { counted, count } = countStatements(db)
      expect(await listDraftLabels({ ...pharmacist, db: counted }, order.id)).toHaveLength(ids.length)
      return count.statements
    }
    const one = await countFor(variantIds.slice(0, 1))
    // For each line: its prescription, package, choices and ingredients.
    expect(await countFor(variantIds)).toBe(one + 2 * 4)
  })

  test('a fault while drafts are looked for is not a draft', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    // The first call compiles the prepared statements.
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([lineId])
    const { counted, count } = countStatements(db)
    await listDraftLabels({ ...pharmacist, db: counted }, orderId)
    for (let failsAt = 1; failsAt <= count.statements; failsAt++) {
      const failing = { ...pharmacist, db: countStatements(db, failsAt).counted }
      await expect(listDraftLabels(failing, orderId)).rejects.toThrow(Crash)
    }
  })

  test('an order names its drafts after it ships, until the labels are complete', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    await saveLabel(pharmacist, { orderId, lineId, ...form({ guide: 'enclosed' }) })
    const shipped = await setOrderStatuses(pharmacist, { ids: [orderId], status: 'shipped' })
    expect(shipped).toMatchObject([{ error: null }])
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([lineId])
    const answers = { version: '1', guide: 'enclosed', counseling: 'declined' }
    await saveLabel(pharmacist, { orderId, lineId, ...form(answers) })
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([])
  })

  test('an order that was cancelled before it shipped names no drafts', async () => {
    const db = await openDb()
    const { ctx, pharmacist, orderId } = await withClearedOrder(db)
    await cancelOrder(ctx, orderId)
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([])
  })

  test('the preview of shipping names the medicines whose labels are drafts', async () => {
    const db = await openDb()
    const { ctx, pharmacist, orderId, lineId } = await withClearedOrder(db)
    await saveLabel(pharmacist, { orderId, lineId, ...form({ guide: 'enclosed' }) })
    const warningsFor = async (ids: string[], by = pharmacist, status: OrderStatus = 'shipped') =>
      (await previewStatusChange(by, { target: { ids }, status })).warnings
    const draft = 'The label of Abacavir is a draft and prints “Not for dispensing”.'
    expect(await warningsFor([orderId])).toEqual([draft])
    expect(await warningsFor([orderId], pharmacist, 'delivered')).toEqual([draft])
    expect(await warningsFor([orderId], pharmacist, 'pending')).toEqual([])

    const { order: other } = await buy(ctx, await addVariant(db, { stockQuantity: 1 }))
    expect(await warningsFor([orderId, other.id])).toEqual([
      `The label of Abacavir (order ${orderId.slice(-8)}) is a draft and prints “Not for dispensing”.`,
    ])
    const withoutMedicines = {
      ...signedIn(await makeUser(db), { roles: ['fulfillment'] }),
      permissions: new Set(['orders.read', 'orders.ship'] as const),
    }
    expect(await warningsFor([orderId], testContext(db, { user: withoutMedicines }))).toEqual([
      'A label is a draft and prints “Not for dispensing”.',
    ])
    const answers = { version: '1', guide: 'enclosed', counseling: 'declined' }
    await saveLabel(pharmacist, { orderId, lineId, ...form(answers) })
    expect(await warningsFor([orderId])).toEqual([])
  })

  test('an order names the lines whose labels are drafts, to staff who may read labels', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([lineId])
    const other = await makeUser(db)
    const asRole = (role: 'fulfillment' | 'support') =>
      testContext(db, { user: signedIn(other, { roles: [role] }) })
    expect(await listDraftLabels(asRole('fulfillment'), orderId)).toEqual([lineId])
    expect(await listDraftLabels(asRole('support'), orderId)).toEqual([])
    expect(await actions(db)).toEqual([])
    await saveLabel(pharmacist, { orderId, lineId, ...form({ guide: 'enclosed', counseling: 'declined' }) })
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([])
    // The order's page shows the order nevertheless.
    await db.updateTable('prescriptionItems').set({ sealedItem: 'broken' }).execute()
    await db.updateTable('lineReviews').set({ sealedDecision: 'broken' }).execute()
    await db.updateTable('pharmacies').set({ shipsTo: '[]' }).execute()
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([lineId])
    expect(await getAdminOrder(pharmacist, orderId)).toMatchObject({ id: orderId })
    await db.updateTable('lineReviews').set({ status: 'refused' }).execute()
    expect(await listDraftLabels(pharmacist, orderId)).toEqual([])
  })

  test('a label’s page says that its quantity, days’ supply and directions disagree', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db, { daysSupply: 30 })
    const view = await getLabel(pharmacist, { orderId, lineId })
    expect(view.supplyMismatch).toBe('By the directions, 30 tablets last 15 days, not 30.')
    // A prescriber can write it on purpose, so it makes no draft.
    expect(view.gaps.join()).not.toContain('By the directions')
  })

  test('a label prints what was prescribed, dispensed and recorded, and says what is missing', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    const line = { orderId, lineId }
    const draft = await getLabel(pharmacist, line)
    expect(draft).toMatchObject({
      version: 0,
      isFirstFill: true,
      canEdit: true,
      supplyMismatch: null,
      flags: { hasGuide: true },
      gaps: [
        'Record whether the Medication Guide is enclosed.',
        'Record the answer to the offer of counseling.',
      ],
      label: {
        patientName: 'Zoë O’Hara',
        medicine: { name: 'Abacavir sulfate', brandName: null, identifier: 'NDC 0378-4105-91' },
        genericFor: 'Ziagen',
        quantity: '30 tablets',
        daysSupply: 15,
        directions: 'Take 1 tablet by mouth twice a day',
        prescriberName: 'Dr. Ada Quillfeather',
        filledOn: utcDay(testDay),
        refillsLeft: 2,
        initials: 'AD',
        lot: null,
        pharmacistPhone: '+1 555 0100',
        pharmacy: {
          name: 'Harbor Pharmacy',
          addressLines: ['1 Quay', 'Portland, OR 97201'],
          phone: '+1 503 555 0147',
          licenseNumber: 'OR-1',
        },
      },
    })
    expect(draft.label.rxNumber).toMatch(/^Rx \d{6}$/)

    const recorded = form({
      'warn-alcohol': 'on',
      otherWarnings: 'Keep this bottle closed.',
      lot: 'LOT-7',
      lotExpiry: '2026-09-30',
      discardAfter: '2026-08-01',
      guide: 'enclosed',
      counseling: 'declined',
    })
    await saveLabel(pharmacist, { ...line, ...recorded })
    const saved = await getLabel(pharmacist, line)
    expect(saved).toMatchObject({
      version: 1,
      gaps: [],
      names: { counseling: 'Amara Diallo', remsDecision: null },
      choices: { counseling: { answer: 'declined', at: testDay.toISOString() } },
      label: {
        warnings: ['Avoid alcoholic beverages while taking this medicine.', 'Keep this bottle closed.'],
        lot: 'LOT-7',
        discardAfter: '2026-08-01',
        hasGuideEnclosed: true,
      },
    })
    const later = { ...pharmacist, now: new Date(testDay.getTime() + 3_600_000) }
    // The same answer keeps who gave it and when; a stale form is refused.
    await saveLabel(later, { ...line, ...recorded, version: 1, lot: 'LOT-8' })
    expect((await getLabel(pharmacist, line)).choices).toMatchObject({
      lot: 'LOT-8',
      counseling: { at: testDay.toISOString() },
    })
    for (const version of [0, 1]) {
      await expect(saveLabel(later, { ...line, ...recorded, version })).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    }
    await expect(
      saveLabel(later, {
        ...line,
        ...form({ version: '2', lotExpiry: '2020-01-01', discardAfter: '2090-01-01' }),
      }),
    ).rejects.toMatchObject({ code: 'INVALID', fields: { lotExpiry: expect.stringContaining('expired') } })
    const stored = await db.selectFrom('labelChoices').selectAll().execute()
    expect(stored).toMatchObject([{ lineId, orderId, version: 2, updatedBy: pharmacist.user?.id }])
    expect(JSON.stringify(stored)).not.toMatch(/LOT-8|alcohol|declined/)
    expect((await actions(db)).filter((action) => action === 'label.changed')).toHaveLength(2)
    expect((await actions(db)).length).toBeGreaterThan(4)
  })

  test('two pharmacists who save at once: one is stored, the other sees that', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    const save = (lot: string) => saveLabel(pharmacist, { orderId, lineId, ...form({ lot }) })
    const results = await Promise.allSettled([save('A'), save('B')])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(
      (await db.selectFrom('labelChoices').select('version').execute()).map(({ version }) => version),
    ).toEqual([1])
  })

  test('staff who may see medicines read a label; only a licensed pharmacist other than the patient records it', async () => {
    const db = await openDb()
    const { ctx, userId, pharmacist, orderId, lineId } = await withClearedOrder(db)
    const line = { orderId, lineId }
    const as = async (roles: ('admin' | 'fulfillment' | 'support' | 'pharmacist')[], id?: string) =>
      testContext(db, { user: signedIn(id ?? (await makeUser(db)), { roles }) })
    for (const role of ['admin', 'fulfillment'] as const) {
      const staff = await as([role])
      expect(await getLabel(staff, line)).toMatchObject({ canEdit: false })
      await expect(saveLabel(staff, { ...line, ...form() })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await expect(getLabel(await as(['support']), line)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(getLabel(ctx, line)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(saveLabel(await as(['pharmacist']), { ...line, ...form() })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('license'),
    })
    // The patient works here too.
    await db.updateTable('pharmacistLicenses').set({ userId }).execute()
    const own = await as(['pharmacist'], userId)
    expect(await getLabel(own, line)).toMatchObject({ canEdit: false })
    await expect(saveLabel(own, { ...line, ...form() })).rejects.toMatchObject({ code: 'CONFLICT' })
    for (const wrong of [
      { orderId, lineId: orderId },
      { orderId: lineId, lineId },
      { orderId: 'x', lineId: 'y' },
    ]) {
      await expect(getLabel(pharmacist, wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await db.updateTable('lineReviews').set({ status: 'refused' }).execute()
    await expect(getLabel(pharmacist, line)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('a flagged medicine ships only after the pharmacist’s decision, one order or many, from any door', async () => {
    const db = await openDb()
    const { pharmacist, orderId, lineId } = await withClearedOrder(db)
    const admin = testContext(db, { user: signedIn(await makeUser(db), { roles: ['admin'] }) })
    const packer = testContext(db, { user: signedIn(await makeUser(db), { roles: ['support'] }) })
    const ship = () => setOrderStatus(admin, orderId, { status: 'shipped' })
    const refused = (why: string) => ({ code: 'CONFLICT', message: `This order can’t be shipped: ${why}` })
    const guide = 'Abacavir waits for the pharmacist’s decision on its Medication Guide.'
    await expect(ship()).rejects.toMatchObject(refused(guide))
    expect(await setOrderStatuses(admin, { ids: [orderId], status: 'delivered' })).toEqual([
      { id: orderId, error: `This order can’t be delivered: ${guide}`, changeId: null, isChanged: false },
    ])
    expect((await getPackingSlip(admin, orderId)).lines).toMatchObject([{ problem: guide }])
    // Staff without the permission read no name, and get the same answer.
    expect((await getPackingSlip(packer, orderId)).lines).toMatchObject([
      { problem: guide.replace('Abacavir', 'Prescription medicine') },
    ])
    await db.updateTable('products').set({ ingredients: 'Bosentan' }).execute()
    await expect(ship()).rejects.toMatchObject(
      refused('Abacavir waits for the pharmacist’s decision on its Medication Guide and REMS.'),
    )
    await saveLabel(pharmacist, { orderId, lineId, ...form({ guide: 'not-needed' }) })
    await expect(ship()).rejects.toMatchObject(
      refused('Abacavir waits for the pharmacist’s decision on its REMS.'),
    )
    const decisions = form({ version: '1', guide: 'enclosed', remsDecision: 'Patient is enrolled.' })
    await saveLabel(pharmacist, { orderId, lineId, ...decisions })
    expect(await ship()).toMatchObject({ status: 'shipped' })
  })

  test('a customer’s download has what was recorded for their labels, and their deletion removes it', async () => {
    const db = await openDb()
    const { ctx, userId, pharmacist, orderId, lineId } = await withClearedOrder(db)
    await saveLabel(pharmacist, { orderId, lineId, ...form({ lot: 'LOT-7', counseling: 'done' }) })
    const zip = Buffer.from(await new Response(await exportAccount(ctx)).arrayBuffer()).toString('utf8')
    expect(zip).toContain('"lot": "LOT-7"')
    expect(zip).toContain('"answer": "done"')
    expect(zip).not.toContain(pharmacist.user?.id)
    await db.updateTable('orders').set({ status: 'shipped' }).execute()
    await deleteUser(ctx, userId)
    const records = testContext(db, { user: signedIn(await makeUser(db), { roles: ['pharmacist'] }) })
    expect((await getRecord(records, orderId)).labels).toMatchObject([
      { lineId, lot: 'LOT-7', counseling: { answer: 'done', by: 'Amara Diallo' } },
    ])
    expect(await db.selectFrom('labelChoices').selectAll().execute()).toEqual([])
  })
})
