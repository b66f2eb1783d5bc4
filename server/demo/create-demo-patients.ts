import { findAuditedObject, hasAuditEntry } from '#db/audit/audit.ts'
import { isForSale } from '#db/seed/order-stock.ts'
import { findProfile } from '#db/accounts/users.ts'
import { Readable } from 'node:stream'
import type { NewUser } from '../accounts/create-user.ts'
import { replaceIdDocument } from '../accounts/id-document.ts'
import type { Context } from '../context.ts'
import { receiveFormUpload } from '../files/receive-upload.ts'
import { createPrescription } from '../prescriptions/create-prescription.ts'
import { askOnce, clearOnce, refuseOnce, settlePayment, transcribeOnce } from './demo-dispensing.ts'
import { contextAt, placeOrderOnce } from './demo-orders.ts'
import { demoPatients, type DemoPatient } from './demo-patients.ts'
import { drawFile } from './demo-prescriptions.ts'
import { orSkip, toSessionUser } from './demo-session.ts'

const hourMs = 3600 * 1000

/** The patients that this shop can have: only with demo payments and the demo catalog. */
export async function listDemoPatients(ctx: Context): Promise<readonly DemoPatient[]> {
  if (ctx.payments.kind !== 'demo') return []
  const [medicine] = demoPatients.flatMap(({ prescription }) => prescription.medicines)
  return medicine && (await isForSale(ctx.db, medicine.variantId)) ? demoPatients : []
}

export const toAccount = (patient: DemoPatient): Omit<NewUser, 'passwordHash'> => {
  const { email, firstName, lastName, allergies, currentMedications = null, shipTo, prescription } = patient
  return {
    email,
    firstName,
    lastName,
    profile: {
      dateOfBirth: prescription.patient.dateOfBirth,
      allergies,
      currentMedications,
      shippingStreet: shipTo.streetAddress,
      shippingCity: shipTo.city,
      shippingState: shipTo.stateProvince,
      shippingCountry: shipTo.country,
      shippingZip: shipTo.zipCode,
    },
  }
}

/**
 * Uploads a patient's prescription, orders what it is for, and does what the pharmacist has done so
 * far, through the shop's own use cases. Each step runs once, however often the demo starts.
 */
export async function createDemoPatient(
  ctx: Context,
  pharmacist: Context,
  patient: DemoPatient & { id: string },
): Promise<void> {
  const account = await findProfile(ctx.db, patient.id)
  if (!account) return
  const { createdAt } = account
  const user = {
    ...toSessionUser(patient.id, patient.email),
    firstName: patient.firstName,
    lastName: patient.lastName,
  }
  const at = (base: Context, hoursAgo: number): Context =>
    contextAt(base, new Date(createdAt.getTime() - hoursAgo * hourMs), patient.name)
  const customer = at({ ...ctx, user }, patient.hoursAgo)
  const orderId = await orderOnce(customer, patient, createdAt)
  if (orderId === null) return
  // Half the time has passed since then.
  const reviewer = at(pharmacist, patient.hoursAgo / 2)
  const place = { patientId: patient.id, orderId }
  const { state, prescription } = patient
  if (state.is === 'asked') await askOnce(reviewer, place, state.question)
  if (state.is === 'refused') await refuseOnce(reviewer, place, state.reason)
  if (state.is === 'first cleared') {
    await transcribeOnce(reviewer, place, prescription, createdAt)
    await clearOnce(reviewer, place)
  }
  await settlePayment(reviewer, orderId)
}

/** The patient's order; null when this shop cannot place it. */
async function orderOnce(customer: Context, patient: DemoPatient & { id: string }, createdAt: Date) {
  const { prescription, alsoOrders, shipTo } = patient
  const prescriptionId = await uploadOnce(customer, patient, createdAt)
  const medicines = prescription.medicines.map(({ variantId }) => variantId)
  const items = [...medicines, ...alsoOrders].map((productVariantId) => ({ productVariantId, quantity: 1 }))
  return placeOrderOnce(customer, { items, shipTo, prescriptionId })
}

async function uploadOnce(
  customer: Context,
  { id: subjectId, prescription }: DemoPatient & { id: string },
  createdAt: Date,
): Promise<string> {
  const { requestId } = customer
  const upload = (file: Buffer) => receiveFormUpload(customer, Readable.from([file]))
  if (!(await hasAuditEntry(customer.db, { subjectId, action: 'id-document.replaced' }))) {
    const { printIdentityCard } = await import('#db/seed/demo-documents.ts')
    const { name, dateOfBirth, address } = prescription.patient
    await replaceIdDocument(
      customer,
      await upload(printIdentityCard({ name, born: dateOfBirth, city: address })),
    )
  }
  const uploaded = { subjectId, action: 'prescription.created', requestId } as const
  const existingId = await findAuditedObject(customer.db, uploaded)
  if (existingId !== null) return existingId
  const fileUrl = await upload(await drawFile(prescription, createdAt))
  const details = { doctorName: prescription.prescriber.name, prescriptionDate: null, expiryDate: null }
  return (await createPrescription(customer, { ...details, notes: null, fileUrl })).id
}

/** All of them. One that the shop's rules refuse is left out. */
export async function createDemoPatients(
  ctx: Context,
  pharmacist: Context,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const patient of await listDemoPatients(ctx)) {
    const id = ids.get(patient.email)
    if (id !== undefined)
      await orSkip(ctx, patient.name, () => createDemoPatient(ctx, pharmacist, { ...patient, id }))
  }
}
