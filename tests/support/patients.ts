import type { Db } from '#db/engine/client.ts'
import { parseFileReference } from '#domain/files/files.ts'
import type { Context } from '#server/context.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { makeUser } from './accounts.ts'
import { addProduct, addVariant, testDay } from './catalog.ts'
import { signedIn, testContext } from './context.ts'
import { markCleared } from './dispensing.ts'
import { placeOrder } from './orders.ts'
import { addIdDocument } from './prescriptions.ts'
import { samplePdf } from './sample-files.ts'

/** What the patient enters about a prescription. */
export const prescribed = {
  doctorName: 'Dr. Quill',
  prescriptionDate: '2026-01-02',
  expiryDate: null,
  notes: 'Daily',
}
/** How the patient’s orders are shipped. */
export const shipment = { status: 'shipped', carrier: 'UPS', trackingNumber: '1Z999' } as const

/** Uploads a prescription with this text in its file; returns its id and the file's. */
async function upload(ctx: Context, text: string): Promise<{ id: string; fileId: string }> {
  const fileUrl = await receiveFormUpload(
    ctx,
    (async function* () {
      yield samplePdf(text)
    })(),
  )
  const { id } = await createPrescription(ctx, { ...prescribed, fileUrl })
  return { id, fileId: parseFileReference(fileUrl) ?? '' }
}

/** A customer with two shipped orders on one prescription and an unshipped order on another. */
export async function makePatient(db: Db) {
  const userId = await makeUser(db)
  const user = signedIn(userId, { firstName: 'Zoë', lastName: 'O’Hara', email: 'zoe@customer.example' })
  const ctx = testContext(db, { user })
  await addIdDocument(db, userId)
  const pharmacist = await makeUser(db, { firstName: 'Amara', lastName: 'Diallo', isAdmin: true })
  const staff = testContext(db, { user: signedIn(pharmacist, { isAdmin: true }) })
  const productId = await addProduct(db, { name: 'Xanomeline', category: 'Rx' })
  const items = [
    { productVariantId: await addVariant(db, { productId }), quantity: 1 },
    { productVariantId: await addVariant(db), quantity: 2 },
  ]
  const [used, unused] = [await upload(ctx, 'Xanomeline daily'), await upload(ctx, 'Not used')]
  for (const { id } of [used, unused])
    await decidePrescription(staff, id, { status: 'approved', statusReason: null }, { link: '/' })
  const orderOf = (prescriptionId: string) =>
    placeOrder(db, userId, { items, prescriptionId, user: { ...user } })
  const orders = [await orderOf(used.id), await orderOf(used.id), await orderOf(unused.id)] as const
  for (const { id } of orders) await markCleared(db, id)
  await setOrderStatus(staff, orders[0].id, shipment)
  await setOrderStatus({ ...staff, now: new Date(testDay.getTime() + 3600_000) }, orders[1].id, {
    ...shipment,
    status: 'delivered',
  })
  return { ctx, staff, userId, pharmacist, used, unused, orders }
}
