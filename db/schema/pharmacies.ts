import type { ColumnType, Generated } from 'kysely'

export type PharmaciesTable = {
  id: string
  name: string
  country: string
  licenseNumber: string
  /** YYYY-MM-DD */
  licenseExpiry: string
  /** Country names; written as JSON text. */
  shipsTo: ColumnType<unknown, string, string>
  active: boolean
  /** Street, city, region and country, one line each. Null until an admin adds it. */
  address: string | null
  phone: string | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
