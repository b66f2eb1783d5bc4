import type { Generated } from 'kysely'

export type ManufacturersTable = {
  id: string
  name: string
  /** The folded name, unique. */
  nameKey: string
  /** The name without its legal form, which merges the spellings of several directories. */
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
