import type { Generated } from 'kysely'

export type ManufacturersTable = {
  id: string
  name: string
  /** The name folded, unique. */
  nameKey: string
  /** The name without its legal form, by which directories' spellings of one maker meet. */
  catalogKey: string | null
  streetAddress: string | null
  city: string | null
  stateProvince: string | null
  country: string | null
  postalCode: string | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
