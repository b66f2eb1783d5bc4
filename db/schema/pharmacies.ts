import type { ColumnType, Generated } from 'kysely'

export type PharmaciesTable = {
  id: string
  name: string
  country: string
  licenceNumber: string
  /** YYYY-MM-DD */
  licenceExpiry: string
  /** Country names; written as JSON text. */
  shipsTo: ColumnType<string[], string, string>
  active: boolean
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}
