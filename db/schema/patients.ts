import type { MedicineNameKind } from '#domain/screening/medicine-names.ts'
import type { Generated } from 'kysely'

/** What a customer, or someone they care for, takes and reacts to. */
export type PatientsTable = {
  /** The customer's own id for their own record. */
  id: string
  userId: string
  /** `PatientRecord` as JSON, sealed for the user. */
  sealedRecord: string
  /** Set for a dependant whom prescriptions still name. */
  removedAt: Date | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

/** A name that a medicine or an allergy group is recognized by. */
export type MedicineNamesTable = {
  nameKey: string
  kind: MedicineNameKind
  label: string
  /** The sorted ingredients, joined by " + "; for a group, its name in the lists. */
  meaning: string
  products: number
}

/** The words of these names, which misspellings are repaired to. */
export type MedicineNameWordsTable = { word: string; reversed: string; names: number }
