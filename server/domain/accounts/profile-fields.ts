import type { genders, PersonName, Profile } from './accounts.ts'

/** The labels of the genders (specification, section 2, "Profile"). */
export const genderLabels = {
  male: 'Male',
  female: 'Female',
  other: 'Other',
  prefer_not_to_say: 'Prefer not to say',
} as const satisfies Record<(typeof genders)[number], string>

/** Everything in a customer's profile. */
export type PersonalData = PersonName & Profile

/** The maximum length of each field, in characters. */
export const profileBounds = {
  firstName: 100,
  lastName: 100,
  cellPhone: 50,
  homePhone: 50,
  currentMedications: 5000,
  allergies: 5000,
  street: 300,
  city: 100,
  state: 100,
  country: 100,
  zip: 32,
} as const

/** In pounds; the highest recorded human weight is below it. */
export const maxWeight = 1500

const poundsPerKilogram = 2.204_622_621_8
const tenths = (value: number): number => Math.round(value * 10) / 10

export const poundsFromKilograms = (kilograms: number): number => tenths(kilograms * poundsPerKilogram)
export const kilogramsFromPounds = (pounds: number): number => tenths(pounds / poundsPerKilogram)

/** The longer wire names of six fields (settled decisions, "Two naming sets for addresses"). */
export const longFieldNames = {
  shippingStreet: 'shippingStreetAddress',
  shippingState: 'shippingStateProvince',
  shippingZip: 'shippingZipCode',
  billingStreet: 'billingStreetAddress',
  billingState: 'billingStateProvince',
  billingZip: 'billingZipCode',
} as const satisfies Partial<Record<keyof Profile, string>>

/** The profile's address fields, shipping paired with billing. */
export const addressPairs = [
  ['shippingStreet', 'billingStreet'],
  ['shippingCity', 'billingCity'],
  ['shippingState', 'billingState'],
  ['shippingCountry', 'billingCountry'],
  ['shippingZip', 'billingZip'],
] as const satisfies readonly (readonly [keyof Profile, keyof Profile])[]

/** Whether the billing address is the shipping address, which is the default. */
export const isBillingSameAsShipping = (profile: Profile): boolean =>
  addressPairs.every(([, billing]) => profile[billing] === null) ||
  addressPairs.every(([shipping, billing]) => profile[shipping] === profile[billing])
