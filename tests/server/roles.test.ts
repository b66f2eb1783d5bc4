import type { Db } from '#db/engine/client.ts'
import {
  compareRoles,
  formatRoles,
  parseRoles,
  permissionsOf,
  roles,
  type Role,
} from '#domain/accounts/permissions.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { openIdDocument } from '#server/accounts/id-document.ts'
import { listActivity } from '#server/accounts/list-activity.ts'
import { listUsers } from '#server/accounts/list-users.ts'
import { confirmWithCode } from '#server/accounts/recent-code.ts'
import { openPatientRecord } from '#server/accounts/record-access.ts'
import { setRoles } from '#server/accounts/set-roles.ts'
import { getUser } from '#server/accounts/update-user.ts'
import type { Context } from '#server/context.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getOrder, listOrderPrescriptions } from '#server/orders/get-order.ts'
import { listAllOrders } from '#server/orders/list-orders.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { saveShipment } from '#server/orders/save-shipment.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { listUserPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { openPrescriptionFile } from '#server/prescriptions/open-prescription-file.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { saveSettings } from '#server/settings/save-settings.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

/** A context of a new account with these roles. */
const actAs = async (db: Db, ...held: Role[]): Promise<Context> =>
  testContext(db, { user: signedIn(await makeUser(db, { roles: held }), { roles: held }) })

const idOf = (ctx: Context): string => ctx.user?.id ?? ''
const error = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })
const key = '019a7c1e-0000-4000-8000-000000000001'
const noShipment = { trackingNumber: null, carrier: null, estimatedDelivery: null }
const details = { link: 'https://shop.example/prescriptions' }

test('roles are stored in one order, and unknown names grant nothing', () => {
  expect(formatRoles(['support', 'admin', 'support'])).toBe('admin,support')
  expect(parseRoles('admin,root,toString,,support')).toEqual(['admin', 'support'])
  expect(parseRoles('')).toEqual([])
  expect(permissionsOf([])).toEqual([])
})

test('a change of roles lists what it adds and ends', () => {
  const { gained, lost } = compareRoles(['support'], ['fulfillment'])
  expect(gained).toEqual(['orders.medicines', 'orders.ship', 'stock.read'])
  expect(lost).toEqual(['refunds.create', 'customers.read'])
  for (const role of roles) expect(compareRoles([role], [role])).toEqual({ gained: [], lost: [] })
})

eachEngine((_engine, openDb) => {
  test('no one approves, ships, refunds or changes an order or prescription of their own', async () => {
    const db = await openDb()
    for (const role of ['admin', 'pharmacist', 'support'] as const) {
      const ctx = await actAs(db, role)
      const order = await placeOrder(db, idOf(ctx), { user: { roles: [role] } })
      const own = error(role === 'support' ? 'FORBIDDEN' : 'CONFLICT')
      const [line] = order.items
      const lines = [{ lineId: line?.id ?? '', quantity: 1, restock: true }]
      await expect(setOrderStatus(ctx, order.id, { status: 'shipped' })).rejects.toEqual(own)
      await expect(setOrderStatus(ctx, order.id, { carrier: 'UPS' })).rejects.toEqual(own)
      await expect(
        saveShipment(ctx, { id: order.id, ...noShipment, carrier: 'UPS', expected: noShipment }),
      ).rejects.toEqual(own)
      const refund = refundOrder(ctx, { id: order.id, key, lines })
      await expect(refund).rejects.toEqual(error(role === 'pharmacist' ? 'FORBIDDEN' : 'CONFLICT'))
      if (role !== 'pharmacist') {
        await expect(setOrderStatus(ctx, order.id, { status: 'cancelled' })).rejects.toEqual(
          error('CONFLICT', /your own order/),
        )
        const [bulk] = await setOrderStatuses(ctx, { ids: [order.id], status: 'cancelled' })
        expect(bulk?.error).toMatch(/your own order/)
      }
      expect((await getOrder(ctx, order.id)).status).toBe('processing')
      if (role !== 'support') {
        const { id } = await addPrescription(db, idOf(ctx))
        await expect(decidePrescription(ctx, id, { status: 'approved' }, details)).rejects.toEqual(
          error('CONFLICT', /your own prescription/),
        )
      }
      // As its customer they can still cancel it.
      expect((await cancelOrder(ctx, order.id)).order.status).toBe('cancelled')
    }
  })

  test('support cancels an order, but sets no tracking number with it', async () => {
    const db = await openDb()
    const [order, other] = [
      await placeOrder(db, await makeUser(db)),
      await placeOrder(db, await makeUser(db)),
    ]
    const ctx = await actAs(db, 'support')
    const cancel = { status: 'cancelled', carrier: null, trackingNumber: '1Z999' } as const
    await expect(setOrderStatus(ctx, order.id, cancel)).rejects.toEqual(error('FORBIDDEN'))
    expect(await getOrder(ctx, order.id)).toMatchObject({ status: 'processing', trackingNumber: null })
    expect((await setOrderStatus(ctx, order.id, { ...cancel, trackingNumber: null })).status).toBe(
      'cancelled',
    )
    expect((await setOrderStatus(await actAs(db, 'admin'), other.id, cancel)).trackingNumber).toBe('1Z999')
  })

  test('a colleague’s order cannot be cancelled at the customer’s door', async () => {
    const db = await openDb()
    const order = await placeOrder(db, await makeUser(db))
    for (const role of ['fulfillment', 'support', 'admin'] as const) {
      await expect(cancelOrder(await actAs(db, role), order.id)).rejects.toEqual(error('NOT_FOUND'))
    }
  })

  test('support sees no health data, files or prescription medicines; fulfillment no health data or files', async () => {
    const db = await openDb()
    const patient = await makeUser(db, { profile: { allergies: 'Quillfeather' } })
    const { id: prescriptionId } = await addPrescription(db, patient)
    const rx = await addVariant(db, {
      productId: await addProduct(db, { name: 'Quillfeatherine', category: 'Rx' }),
    })
    const order = await placeOrder(db, patient, {
      items: [
        { productVariantId: rx, quantity: 1 },
        {
          productVariantId: await addVariant(db, { productId: await addProduct(db, { name: 'Zinc' }) }),
          quantity: 1,
        },
      ],
      prescriptionId,
    })
    const support = await actAs(db, 'support')
    const fulfillment = await actAs(db, 'fulfillment')
    const namesFor = async (ctx: Context) => {
      const [page, api] = [await getAdminOrder(ctx, order.id), await getOrder(ctx, order.id)]
      const names = page.items.map(({ product }) => product.name).toSorted()
      expect(api.items.map(({ product }) => product.name).toSorted()).toEqual(names)
      expect(JSON.stringify([page.prescription, page.items, api.items]).includes('Quillfeather')).toBe(
        names.includes('Quillfeatherine'),
      )
      return names
    }
    expect(await namesFor(support)).toEqual(['Prescription medicine', 'Zinc'])
    expect(await namesFor(fulfillment)).toEqual(['Quillfeatherine', 'Zinc'])
    for (const ctx of [support, fulfillment, await actAs(db, 'catalog-manager')]) {
      await expect(openPrescriptionFile(ctx, prescriptionId)).rejects.toEqual(error('NOT_FOUND'))
      await expect(openIdDocument(ctx, patient)).rejects.toEqual(error('NOT_FOUND'))
      await expect(getUser(ctx, patient)).rejects.toEqual(error('NOT_FOUND'))
      await expect(listUserPrescriptions(ctx, patient)).rejects.toEqual(error('FORBIDDEN'))
      await expect(listOrderPrescriptions(ctx, order.id)).rejects.toEqual(error('NOT_FOUND'))
      await expect(getCase(ctx, prescriptionId)).rejects.toEqual(error('FORBIDDEN'))
    }
  })

  test('a pharmacist reads a record with an open case, or after a reason that the patient reads', async () => {
    const db = await openDb()
    const patient = await makeUser(db)
    const pharmacist = await actAs(db, 'pharmacist')
    const later = (hours: number): Context => ({
      ...pharmacist,
      now: new Date(pharmacist.now.getTime() + hours * 3_600_000),
    })
    await expect(getUser(pharmacist, patient)).rejects.toEqual(error('REASON_REQUIRED'))
    const { id } = await addPrescription(db, patient)
    expect((await getUser(pharmacist, patient)).person.id).toBe(patient)
    await decidePrescription(pharmacist, id, { status: 'rejected', statusReason: 'Not readable.' }, details)
    expect((await getCase(pharmacist, id)).prescriptions).toMatchObject([{ status: 'rejected' }])
    // The case has closed.
    for (const read of [
      () => getUser(later(25), patient),
      () => getCase(later(25), id),
      () => openPrescriptionFile(later(25), id),
      () => listUserPrescriptions(later(25), patient),
      () => openIdDocument(later(25), patient),
    ]) {
      await expect(read()).rejects.toEqual(error('REASON_REQUIRED'))
    }
    // The page of a shipped order shows the prescription's status alone.
    const order = await placeOrder(db, patient)
    const used = { status: 'delivered', prescriptionId: id } as const
    await db.updateTable('orders').set(used).where('id', '=', order.id).execute()
    const shown = async (ctx: Context) => (await getAdminOrder(ctx, order.id)).prescription
    expect(await shown(later(25))).toEqual({ id, status: 'rejected', details: null })
    // What was refused is in the log.
    const refusals = new Set<string | null>()
    await expect(getUser({ ...later(25), refusals }, patient)).rejects.toEqual(error('REASON_REQUIRED'))
    expect([...refusals]).toEqual([patient])
    const reason = 'The patient called about side effects.'
    await openPatientRecord(later(25), { patientId: patient, reason })
    expect((await getUser(later(25.9), patient)).person.id).toBe(patient)
    expect(await shown(later(25.9))).toMatchObject({ details: { statusReason: 'Not readable.' } })
    await expect(getUser(later(26.1), patient)).rejects.toEqual(error('REASON_REQUIRED'))
    // It opens the record for the one who gave it, and only that record.
    const colleague = { ...(await actAs(db, 'pharmacist')), now: later(25).now }
    await expect(getUser(colleague, patient)).rejects.toEqual(error('REASON_REQUIRED'))
    await expect(getUser(later(25), await makeUser(db))).rejects.toEqual(error('REASON_REQUIRED'))
    const stored = await db.selectFrom('recordAccesses').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('side effects')
    const { activities } = await listActivity(testContext(db, { user: signedIn(patient) }), {
      before: null,
      filter: 'others',
    })
    expect(activities.filter(({ action }) => action === 'record.opened')).toMatchObject([{ reason }])
    await expect(
      openPatientRecord(await actAs(db, 'support'), { patientId: patient, reason }),
    ).rejects.toEqual(error('FORBIDDEN'))
    // An order with prescription medicines that has not shipped is an open case too.
    const { id: second } = await addPrescription(db, patient)
    const rx = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
    await placeOrder(db, patient, {
      items: [{ productVariantId: rx, quantity: 1 }],
      prescriptionId: second,
    })
    await decidePrescription(pharmacist, second, { status: 'approved' }, details)
    expect((await getUser(later(72), patient)).person.id).toBe(patient)
  })

  test('support refunds up to the setting, also in parts and by cancelling', async () => {
    const db = await openDb()
    const variant = await addVariant(db, { stockQuantity: 100, priceCents: 6000 })
    const order = await placeOrder(db, await makeUser(db), {
      items: [{ productVariantId: variant, quantity: 3 }],
    })
    const support = await actAs(db, 'support')
    const lineId = order.items[0]?.id ?? ''
    const refund = (ctx: Context, n: number, quantity = 1) =>
      refundOrder(ctx, {
        id: order.id,
        key: key.replace(/1$/, String(n)),
        lines: [{ lineId, quantity, restock: false }],
      })
    const limitOf = (cents: number) => ({
      before: { supportRefundLimitCents: 10_000 },
      changes: { supportRefundLimitCents: cents },
    })
    const tooMuch = error('FORBIDDEN', /up to \$100\.00/)
    await refund(support, 1)
    await expect(refund(support, 2)).rejects.toEqual(tooMuch)
    await expect(setOrderStatus(support, order.id, { status: 'cancelled' })).rejects.toEqual(tooMuch)
    await expect(saveSettings(support, limitOf(12_000))).rejects.toEqual(error('FORBIDDEN'))
    const admin = await actAs(db, 'admin')
    expect(await saveSettings(admin, limitOf(12_000))).toMatchObject({
      supportRefundLimitCents: 12_000,
      codeAboveRefundCents: 25_000,
    })
    await refund(support, 2)
    await setOrderStatus(admin, order.id, { status: 'cancelled' })
    await expect(
      setOrderStatus(await actAs(db, 'fulfillment'), order.id, { status: 'cancelled' }),
    ).rejects.toEqual(error('FORBIDDEN'))
  })

  test('role changes, deletions, settings and large refunds need a code from the last ten minutes', async () => {
    const db = await openDb()
    const admin = await actAs(db, 'admin')
    const withCode = (minutesAgo: number): Context => ({
      ...admin,
      user: {
        ...admin.user!,
        hasSecondFactor: true,
        factorVerifiedAt: new Date(admin.now.getTime() - minutesAgo * 60_000),
      },
    })
    const [stale, recent] = [withCode(10.1), withCode(9.9)]
    const userId = await makeUser(db)
    const variant = await addVariant(db, { stockQuantity: 100, priceCents: 25_001 })
    const order = await placeOrder(db, await makeUser(db), {
      items: [{ productVariantId: variant, quantity: 1 }],
    })
    const changes = [
      (ctx: Context) => setRoles(ctx, { userId, edit: () => ['support'] }),
      (ctx: Context) => saveSettings(ctx, { before: {}, changes: {} }),
      (ctx: Context) => setOrderStatus(ctx, order.id, { status: 'cancelled' }),
      (ctx: Context) => listUsers(ctx, { after: null, limit: null }),
      (ctx: Context) => listAllOrders(ctx, { after: null, limit: null }),
      (ctx: Context) => deleteUser(ctx, userId),
    ]
    for (const change of changes) {
      await expect(change(stale)).rejects.toEqual(error('CODE_REQUIRED'))
      await change(recent)
    }
    await expect(confirmWithCode(stale, { code: '000000' })).rejects.toEqual(error('INVALID'))
  })
})
