import { hasAuditEntry } from '#db/audit/audit.ts'
import { findPrescription, updateDecision } from '#db/prescriptions/prescriptions.ts'
import { findCredentials } from '#db/accounts/users.ts'
import type { Profile, SessionUser } from '#domain/accounts/accounts.ts'
import { permissionsOf, type Role } from '#domain/accounts/permissions.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { Readable } from 'node:stream'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from '../accounts/blind-indexes.ts'
import { receiveFormUpload } from '../files/receive-upload.ts'
import { createDemoOrders } from './demo-orders.ts'
import { elenasPrescription } from './demo-prescriptions.ts'
import { createPrescription } from '../prescriptions/create-prescription.ts'
import { createUser, type NewUser } from '../accounts/create-user.ts'
import { replaceIdDocument } from '../accounts/id-document.ts'
import { hashPassword } from '../accounts/passwords.ts'

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

/**
 * Creates the missing demo accounts; the next start resumes an interrupted run. Data that was
 * created once and deleted since is not recreated, but the accounts are. For dev and demo only:
 * their password is public.
 */
export async function createDemoAccounts(ctx: Context): Promise<void> {
  const ids = new Map<string, string>()
  for (const account of accounts) {
    const emailHash = hashEmail(ctx, account.email)
    const existing = await findCredentials(ctx.db, emailHash)
    const id =
      existing?.id ??
      (await createUser(ctx, {
        ...account,
        emailConfirmed: true,
        passwordHash: await hashPassword(demoPassword),
      }))
    if (id !== null) ids.set(account.email, id)
  }
  const [customer, pharmacist] = [ids.get(customerEmail), ids.get(pharmacistEmail)]
  if (!customer || !pharmacist) return
  await createDemoDocuments(ctx, customer, pharmacist)
  const elena = { ...toSessionUser(customer, customerEmail), firstName: 'Elena', lastName: 'Marsh' }
  const jonas = toSessionUser(pharmacist, pharmacistEmail, ['pharmacist'])
  await createDemoOrders({ ...ctx, user: elena }, { ...ctx, user: jonas }, { shipTo, prescriptionId })
}

/** The form id of the prescription, so that it is created only once. */
const prescriptionId = '019a7c1e-0000-7000-8000-00000000de30'

async function createDemoDocuments(ctx: Context, customerId: string, pharmacistId: string): Promise<void> {
  const customer = { ...ctx, user: toSessionUser(customerId, customerEmail) }
  const isDone = (action: AuditAction) => hasAuditEntry(ctx.db, { subjectId: customerId, action })
  const upload = (file: Buffer) => receiveFormUpload(customer, Readable.from([file]))
  if (!(await isDone('id-document.replaced'))) {
    const { demoIdDocument } = await import('#db/seed/demo-documents.ts')
    await replaceIdDocument(customer, await upload(demoIdDocument))
  }
  if (!(await isDone('prescription.created'))) {
    const { printPrescription } = await import('#db/seed/demo-documents.ts')
    const fileUrl = await upload(printPrescription(elenasPrescription(ctx.now)))
    const details = { doctorName: 'Dr. Priya Natarajan', prescriptionDate: utcDay(ctx.now), expiryDate: null }
    await createPrescription(customer, { ...details, notes: null, fileUrl }, prescriptionId)
  }
  if (!(await isDone('prescription.decided'))) {
    await approvePrescription({ ...ctx, user: toSessionUser(pharmacistId, pharmacistEmail) })
  }
}

/** Bypasses the use case, which would email the customer at every first start. */
async function approvePrescription(pharmacist: Context): Promise<void> {
  await inTransaction(pharmacist, async (ctx) => {
    const row = await findPrescription(ctx.db, prescriptionId)
    if (!row) return
    const { id, version, userId, sealedDetails } = row
    const decided = {
      status: 'approved',
      sealedDetails,
      decidedBy: ctx.user?.id ?? null,
      decidedAt: ctx.now,
    } as const
    await updateDecision(ctx.db, { id, version, ...decided })
    await recordAudit(ctx, { action: 'prescription.decided', subjectId: userId, objectId: id })
  })
}

const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10)

/** A demo account as a signed-in user, so that its startup actions are audited like any other. */
const toSessionUser = (id: string, email: string, roles: readonly Role[] = []): SessionUser => ({
  id,
  email,
  sessionId: 'start',
  firstName: null,
  lastName: null,
  roles,
  permissions: new Set(permissionsOf(roles)),
  hasSecondFactor: false,
  factorVerifiedAt: null,
})
