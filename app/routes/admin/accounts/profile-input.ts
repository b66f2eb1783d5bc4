import type { genders } from '#domain/accounts/accounts.ts'
import type { PersonalData } from '#domain/accounts/profile-fields.ts'

/** The names of a profile's fields in the words of the specification, section 2, "Profile". */
export const fieldLabels = {
  firstName: 'First name',
  lastName: 'Last name',
  gender: 'Gender',
  dateOfBirth: 'Date of birth',
  weight: 'Weight',
  cellPhone: 'Cell phone',
  homePhone: 'Home phone',
  currentMedications: 'Current medications',
  allergies: 'Allergies',
  shippingStreet: 'Street',
  shippingCity: 'City',
  shippingState: 'State/Province',
  shippingCountry: 'Country',
  shippingZip: 'ZIP code',
  billingStreet: 'Street',
  billingCity: 'City',
  billingState: 'State/Province',
  billingCountry: 'Country',
  billingZip: 'ZIP code',
} as const satisfies Record<keyof PersonalData, string>

type Name = keyof typeof fieldLabels
const names = Object.keys(fieldLabels) as Name[]

/** A profile as its form holds it: text, empty for what is not stated. */
export type Typed = Record<Name, string>

export const typedOf = (person: PersonalData): Typed =>
  Object.fromEntries(names.map((name) => [name, String(person[name] ?? '')])) as Typed

/** What the form says; an empty field is none, and the weight is a number (specification, section 5). */
export const changesOf = ({ weight, gender, ...texts }: Typed) => ({
  ...texts,
  gender: (gender || null) as (typeof genders)[number] | null,
  weight: weight === '' ? null : Number(weight),
})
