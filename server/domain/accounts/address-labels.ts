import type { Address } from './addresses.ts'

/** The names of an address's fields as a customer reads them (contract, "Checkout"), in their order. */
export const addressLabels = {
  streetAddress: 'Street Address',
  city: 'City',
  stateProvince: 'State/Province',
  zipCode: 'ZIP Code',
  country: 'Country',
} as const satisfies Record<keyof Address, string>
