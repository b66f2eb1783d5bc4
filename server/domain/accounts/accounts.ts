import { z } from 'zod'

/** The genders that are stored (contract, "Shapes"). */
export const genders = ['male', 'female', 'other', 'prefer_not_to_say'] as const

const line = z.string().nullable()

/** What is kept of a person besides name and e-mail: the row's sealed JSON. */
export const profileSchema = z.object({
  gender: z.enum(genders).nullable(),
  /** `YYYY-MM-DD`. */
  dateOfBirth: line,
  /** In pounds. */
  weight: z.number().nullable(),
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

/** Who is signed in, as every page knows them. */
export type SessionUser = PersonName & {
  id: string
  sessionId: string
  email: string
  isAdmin: boolean
  /** Whether the back office is open to them: an admin, with a second factor where the shop asks for one. */
  mayAdminister: boolean
  hasSecondFactor: boolean
}

/** First and last name, or 'Account' (specification, section 2, "Shared header"). */
export const displayName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Account'

/** An address is one whatever its case and its written form (RFC 5321 leaves the local part's case to its host; none uses it). */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase()
