import { findCredentials } from '#db/users.ts'
import { emailKey, type Profile } from '#domain/accounts.ts'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto.ts'
import { createUser, type NewUser } from './create-user.ts'
import { hashPassword } from './passwords.ts'

/** The password of every demo account (contract, "Environment"). */
export const demoPassword = 'meridian-demo'

const customerProfile: Partial<Profile> = {
  gender: 'female',
  dateOfBirth: '1984-03-12',
  weight: 146.5,
  cellPhone: '+1 555 0142',
  homePhone: '+1 555 0143',
  currentMedications: 'Lisinopril 10 mg, once a day',
  allergies: 'Penicillin',
  shippingStreet: '12 Harbour Lane',
  shippingCity: 'Portland',
  shippingState: 'ME',
  shippingCountry: 'United States',
  shippingZip: '04101',
  billingStreet: '12 Harbour Lane',
  billingCity: 'Portland',
  billingState: 'ME',
  billingCountry: 'United States',
  billingZip: '04101',
}

const accounts: readonly Omit<NewUser, 'passwordHash'>[] = [
  { email: 'admin@meridian.test', firstName: 'Amara', lastName: 'Okafor', isAdmin: true },
  { email: 'pharmacist@meridian.test', firstName: 'Jonas', lastName: 'Weber', isAdmin: true },
  { email: 'customer@meridian.test', firstName: 'Elena', lastName: 'Marsh', profile: customerProfile },
  { email: 'new@meridian.test', firstName: null, lastName: null },
]

export const demoEmails: readonly string[] = accounts.map(({ email }) => email)

/** Makes the demo accounts that are missing. For development and the demo alone: their password is public. */
export async function makeDemoAccounts(ctx: Context): Promise<void> {
  for (const account of accounts) {
    const emailHash = blindIndex(ctx.keys, 'email', emailKey(account.email))
    if (await findCredentials(ctx.db, emailHash)) continue
    await createUser(ctx, {
      ...account,
      emailConfirmed: true,
      passwordHash: await hashPassword(demoPassword),
    })
  }
}
