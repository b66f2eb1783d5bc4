import { z } from 'zod'
import type { PermissionHolder } from './permissions.ts'

/** The stored genders (contract, "Shapes"). */
export const genders = ['male', 'female', 'other', 'prefer_not_to_say'] as const

const line = z.string().nullable()

/** A user's profile, the row's sealed JSON. */
export const profileSchema = z.object({
  gender: z.enum(genders).nullable(),
  /** `YYYY-MM-DD`. */
  dateOfBirth: line,
  /** In pounds. */
  weight: z.number().nullable(),
  /** The day of that weight, `YYYY-MM-DD`. Null for a weight from before it was asked for. */
  weightOn: line,
  cellPhone: line,
  homePhone: line,
  currentMedications: line,
  allergies: line,
  shippingStreet: line,
  shippingCity: line,
  shippingState: line,
  shippingCountry: line,
  shippingZip: line,
  billingStreet: line,
  billingCity: line,
  billingState: line,
  billingCountry: line,
  billingZip: line,
})
export type Profile = z.infer<typeof profileSchema>

export const emptyProfile: Profile = {
  gender: null,
  dateOfBirth: null,
  weight: null,
  weightOn: null,
  cellPhone: null,
  homePhone: null,
  currentMedications: null,
  allergies: null,
  shippingStreet: null,
  shippingCity: null,
  shippingState: null,
  shippingCountry: null,
  shippingZip: null,
  billingStreet: null,
  billingCity: null,
  billingState: null,
  billingCountry: null,
  billingZip: null,
}

export const nameSchema = z.object({ firstName: line, lastName: line })
export type PersonName = z.infer<typeof nameSchema>

/** The signed-in user, as every page knows them. */
export type SessionUser = PersonName &
  PermissionHolder & {
    id: string
    sessionId: string
    /** The key of a machine that acts for this user. */
    apiKeyId?: string
    email: string
    hasSecondFactor: boolean
    /** When this session last gave a code of the second factor. */
    factorVerifiedAt: Date | null
  }

const fullName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ')

/** First and last name, or 'Account' (specification, section 2, "Shared header"). */
export const displayName = (name: PersonName): string => fullName(name) || 'Account'

/** First and last name, or the email address: a person's name in the back office. */
export const nameOrEmail = ({ email, ...name }: PersonName & { email: string }): string =>
  fullName(name) || email

/**
 * Normalizes an email address: case and Unicode form do not matter. RFC 5321 lets the receiving
 * host decide about the case of the local part; in practice none distinguishes it.
 */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase()
