import type { genders, PersonName, Profile } from './accounts.ts'

/** What the choice of each gender is called (specification, section 2, "Profile"). */
export const genderLabels = {
  male: 'Male',
  female: 'Female',
  other: 'Other',
  prefer_not_to_say: 'Prefer not to say',
} as const satisfies Record<(typeof genders)[number], string>

/** Everything that a customer says of themself. */
export type PersonalData = PersonName & Profile

/** The longest text of each field, in characters. */
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

/** In pounds; nobody known weighed more. */
export const maxWeight = 1500

/** The second name of six fields on the wire (settled decisions, "Two naming sets for addresses"). */
export const longNames = {
  shippingStreet: 'shippingStreetAddress',
  shippingState: 'shippingStateProvince',
  shippingZip: 'shippingZipCode',
  billingStreet: 'billingStreetAddress',
  billingState: 'billingStateProvince',
  billingZip: 'billingZipCode',
} as const satisfies Partial<Record<keyof Profile, string>>

/** An address's lines as the profile names them, shipping beside billing. */
export const addressPairs = [
  ['shippingStreet', 'billingStreet'],
  ['shippingCity', 'billingCity'],
  ['shippingState', 'billingState'],
  ['shippingCountry', 'billingCountry'],
  ['shippingZip', 'billingZip'],
] as const satisfies readonly (readonly [keyof Profile, keyof Profile])[]

/** Whether the bill goes where the parcel goes, as it does until somebody says otherwise. */
export const isBilledWhereShipped = (profile: Profile): boolean =>
  addressPairs.every(([, billing]) => profile[billing] === null) ||
  addressPairs.every(([shipping, billing]) => profile[shipping] === profile[billing])
