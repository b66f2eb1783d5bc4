import { formatTotal } from '#domain/grid-total.ts'
import type { AccessChange } from '#domain/accounts/account-access.ts'
import type { genders } from '#domain/accounts/accounts.ts'
import type { Permission } from '#domain/accounts/permissions.ts'
import { genderLabels } from '#domain/accounts/profile-fields.ts'

export const userCount = (count: number): string => `${formatTotal(count)} ${count === 1 ? 'user' : 'users'}`

export const accessLabels: Record<AccessChange, string> = {
  suspend: 'Suspend',
  restore: 'Restore',
  'end-sessions': 'Sign out everywhere',
}

/** The texts of both resets of two-step sign-in: the list's dialog and the user page's form. */
export const factorReset = {
  intent: 'reset-second-factor',
  action: 'Reset two-step sign-in',
  done: 'Two-step sign-in reset',
  explanation:
    'For a person who lost their phone and recovery codes. Confirm their identity by phone or in person. They’ll be signed out of every browser, and anyone with their password or mailbox can sign in until they set up a new phone. We’ll email them.',
  reasonLabel: 'How did you identify them?',
  reasonHint: 'They can read it in their activity.',
} as const

export const genderLabel = (gender: (typeof genders)[number] | null): string | null =>
  gender && genderLabels[gender]

/** What a tab needs, besides access to the page. */
export const tabPermissions = {
  profile: null,
  medical: 'health.read',
  addresses: 'customers.read',
  prescriptions: 'health.read',
  orders: 'orders.read',
  'sign-ins': 'customers.manage',
} as const satisfies Record<string, Permission | null>

/** The tabs of a user's page, each loaded when it is opened (contract, "Users"). */
export const tabs = {
  profile: 'Profile',
  medical: 'Medical',
  addresses: 'Addresses',
  prescriptions: 'Prescriptions',
  orders: 'Orders',
  'sign-ins': 'Sign-ins',
} as const
export type TabName = keyof typeof tabs

/** The tab that a URL names; any other text gives the first. */
export const parseTab = (name: string | null): TabName =>
  name !== null && Object.hasOwn(tabs, name) ? (name as TabName) : 'profile'
