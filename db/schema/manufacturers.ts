import type { Generated } from 'kysely'

export type ManufacturersTable = {
  id: string
  name: string
  /** The name folded, unique. */
  nameKey: string
  streetAddress: string | null
  city: string | null
  stateProvince: string | null
  country: string | null
  postalCode: string | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
