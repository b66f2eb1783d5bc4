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
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
