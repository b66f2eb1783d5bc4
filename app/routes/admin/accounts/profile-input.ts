import type { genders } from '#domain/accounts/accounts.ts'
import type { PersonalData } from '#domain/accounts/profile-fields.ts'

/** The labels of the profile fields, from the specification, section 2, "Profile". */
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
} as const satisfies Record<Exclude<keyof PersonalData, 'weightOn'>, string>

type FieldName = keyof typeof fieldLabels
const fieldNames = Object.keys(fieldLabels) as FieldName[]

/** The same with the address named: a stale edit is listed out of its group. */
export const fullFieldLabels = Object.fromEntries(
  fieldNames.map((name) => {
    const address = /^(shipping|billing)/.exec(name)?.[0]
    const prefix = address === undefined ? '' : address === 'billing' ? 'Billing ' : 'Shipping '
    return [name, `${prefix}${fieldLabels[name]}`]
  }),
) as Record<FieldName, string>

/** A profile as its form holds it: text, empty where nothing is stated. */
export type ProfileFormValues = Record<FieldName, string>

export const toFormValues = (person: PersonalData): ProfileFormValues =>
  Object.fromEntries(fieldNames.map((name) => [name, String(person[name] ?? '')])) as ProfileFormValues

/**
 * The form's values as input: an empty field is null, and the weight is a number (specification,
 * section 5).
 */
export const toProfileChanges = ({ weight, gender, ...texts }: ProfileFormValues) => ({
  ...texts,
  gender: (gender || null) as (typeof genders)[number] | null,
  weight: weight === '' ? null : Number(weight),
})
