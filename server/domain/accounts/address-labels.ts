import type { Address } from './addresses.ts'

/** The labels of an address's fields (contract, "Checkout"), in form order. */
export const addressLabels = {
  streetAddress: 'Street Address',
  city: 'City',
  stateProvince: 'State/Province',
  zipCode: 'ZIP Code',
  country: 'Country',
} as const satisfies Record<keyof Address, string>
