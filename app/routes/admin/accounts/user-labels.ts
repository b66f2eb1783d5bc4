import type { genders, PersonName } from '#domain/accounts/accounts.ts'
import { genderLabels } from '#domain/accounts/profile-fields.ts'

/** What a person is called in the back office: by name, else by the e-mail address. */
export const personName = ({ firstName, lastName, email }: PersonName & { email: string }): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

export const roleWord = (isAdmin: boolean): string => (isAdmin ? 'Admin' : 'User')

export const genderWord = (gender: (typeof genders)[number] | null): string | null =>
  gender && genderLabels[gender]

/** The parts of a user's page, each read when it is looked at (contract, "Users"). */
export const tabs = {
  profile: 'Profile',
  medical: 'Medical',
  addresses: 'Addresses',
  prescriptions: 'Prescriptions',
  orders: 'Orders',
} as const
export type TabName = keyof typeof tabs

/** The tab that an address names; what is none is the first. */
export const tabNamed = (name: string | null): TabName =>
  name !== null && Object.hasOwn(tabs, name) ? (name as TabName) : 'profile'
