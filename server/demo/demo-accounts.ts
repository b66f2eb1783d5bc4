import { hasAuditEntry } from '#db/audit/audit.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import type { Profile } from '#domain/accounts/accounts.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { Readable } from 'node:stream'
import { hashEmail } from '../accounts/blind-indexes.ts'
import { createUser, type NewUser } from '../accounts/create-user.ts'
import { replaceIdDocument } from '../accounts/id-document.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { recordLicense } from '../accounts/pharmacist-license.ts'
import type { Context } from '../context.ts'
import { receiveFormUpload } from '../files/receive-upload.ts'
import { createPrescription } from '../prescriptions/create-prescription.ts'
import { requireUser } from '../require-user.ts'
import { createDemoPatients, listDemoPatients, toAccount } from './create-demo-patients.ts'
import { createDemoLots } from './demo-lots.ts'
import { createDemoOrders } from './demo-orders.ts'
import { drawFile, elenasPrescription } from './demo-prescriptions.ts'
import { orSkip, toSessionUser } from './demo-session.ts'

/** The password of every demo account (contract, "Environment"). */
export const demoPassword = 'meridian-demo'

const shipTo = {
  streetAddress: '12 Harbor Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}

const customerProfile: Partial<Profile> = {
  gender: 'female',
  dateOfBirth: '1984-03-12',
  weight: 146.5,
  cellPhone: '+1 555 0142',
  homePhone: '+1 555 0143',
  currentMedications: 'Lisinopril 10 mg, once a day',
  allergies: 'Penicillin',
  shippingStreet: shipTo.streetAddress,
  shippingCity: shipTo.city,
  shippingState: shipTo.stateProvince,
  shippingCountry: shipTo.country,
  shippingZip: shipTo.zipCode,
  billingStreet: shipTo.streetAddress,
  billingCity: shipTo.city,
  billingState: shipTo.stateProvince,
  billingCountry: shipTo.country,
  billingZip: shipTo.zipCode,
}

const accounts: readonly Omit<NewUser, 'passwordHash'>[] = [
  { email: 'admin@meridian.test', firstName: 'Amara', lastName: 'Okafor', roles: ['admin'] },
  { email: 'pharmacist@meridian.test', firstName: 'Jonas', lastName: 'Weber', roles: ['pharmacist'] },
  { email: 'fulfillment@meridian.test', firstName: 'Mateo', lastName: 'Silva', roles: ['fulfillment'] },
  { email: 'support@meridian.test', firstName: 'Grace', lastName: 'Lindqvist', roles: ['support'] },
  { email: 'catalog@meridian.test', firstName: 'Noor', lastName: 'Haddad', roles: ['catalog-manager'] },
  { email: 'customer@meridian.test', firstName: 'Elena', lastName: 'Marsh', profile: customerProfile },
  { email: 'new@meridian.test', firstName: null, lastName: null },
]

export const demoEmails: readonly string[] = accounts.map(({ email }) => email)

/** Has an ID document on file, an approved prescription and three orders. */
const customerEmail = 'customer@meridian.test'
const pharmacistEmail = 'pharmacist@meridian.test'
const adminEmail = 'admin@meridian.test'

/**
 * Creates the missing demo accounts; the next start resumes an interrupted run. Data that was
 * created once and deleted since is not recreated, but the accounts are. For dev and demo only:
 * their password is public.
 */
export async function createDemoAccounts(ctx: Context): Promise<void> {
  const ids = new Map<string, string>()
  let passwordHash: string | null = null
  const patients = await listDemoPatients(ctx)
  for (const account of [...accounts, ...patients.map(toAccount)]) {
    const existing = await findCredentials(ctx.db, hashEmail(ctx, account.email))
    // Slow by design, so once for all of them: their password is public.
    if (!existing) passwordHash ??= await hashPassword(demoPassword)
    const id = existing?.id ?? (await createUser(ctx, { ...account, emailConfirmed: true, passwordHash }))
    if (id !== null) ids.set(account.email, id)
  }
  const [customer, pharmacist, admin] = [customerEmail, pharmacistEmail, adminEmail].map((email) =>
    ids.get(email),
  )
  if (!customer || !pharmacist || !admin) return
  const elena = { ...toSessionUser(customer, customerEmail), firstName: 'Elena', lastName: 'Marsh' }
  const jonas = toSessionUser(pharmacist, pharmacistEmail, ['pharmacist'])
  await recordDemoLicense({ ...ctx, user: toSessionUser(admin, adminEmail, ['admin']) }, pharmacist)
  await createDemoLots({ ...ctx, user: toSessionUser(admin, adminEmail, ['admin']) })
  await createDemoDocuments({ ...ctx, user: elena })
  await createDemoOrders({ ...ctx, user: elena }, { ...ctx, user: jonas }, { shipTo, prescriptionId })
  await createDemoPatients(ctx, { ...ctx, user: jonas }, ids)
}

/** Without a recorded license a pharmacist clears nothing. The number is made up. */
async function recordDemoLicense(admin: Context, userId: string): Promise<void> {
  if (await hasAuditEntry(admin.db, { subjectId: userId, action: 'license.recorded' })) return
  const license = { number: 'DEMO-RPH-0147', jurisdiction: 'OR' }
  await orSkip(admin, 'license', () => recordLicense(admin, { userId, before: null, ...license }))
}

/** The form id of the prescription, so that it is created only once. */
const prescriptionId = '019a7c1e-0000-7000-8000-00000000de30'

async function createDemoDocuments(customer: Context): Promise<void> {
  const { id: customerId } = requireUser(customer)
  const isDone = (action: AuditAction) => hasAuditEntry(customer.db, { subjectId: customerId, action })
  const upload = (file: Buffer) => receiveFormUpload(customer, Readable.from([file]))
  if (!(await isDone('id-document.replaced'))) {
    const { printIdentityCard } = await import('#db/seed/demo-documents.ts')
    const card = printIdentityCard({ name: 'Elena Marsh', born: 'March 12, 1984', city: 'Portland, ME' })
    await replaceIdDocument(customer, await upload(card))
  }
  if (!(await isDone('prescription.created'))) {
    // Uploaded when the first order was placed.
    const uploadedAt = new Date(customer.now.getTime() - 33 * 24 * 3600 * 1000)
    const fileUrl = await upload(await drawFile(elenasPrescription, customer.now))
    const details = {
      doctorName: elenasPrescription.prescriber.name,
      prescriptionDate: null,
      expiryDate: null,
    }
    await createPrescription(
      { ...customer, now: uploadedAt },
      { ...details, notes: null, fileUrl },
      prescriptionId,
    )
  }
}
