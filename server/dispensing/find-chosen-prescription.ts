import { listItemsOfPrescription } from '#db/dispensing/items.ts'
import { pipeline } from '#db/engine/sql.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { patientOf } from '#domain/prescriptions/prescriptions.ts'
import type { ChosenPrescription } from '#domain/dispensing/resolve-line.ts'
import type { Context } from '../context.ts'

/** The prescription that the customer chose, or null. Whether it is theirs was checked before. */
export async function findChosenPrescription(
  { db }: Pick<Context, 'db'>,
  prescriptionId: string | null,
): Promise<ChosenPrescription | null> {
  if (prescriptionId === null) return null
  const [items, row] = await pipeline(
    listItemsOfPrescription(db, prescriptionId),
    findPrescription(db, prescriptionId),
  )
  return row && { id: prescriptionId, isTranscribed: items.length > 0, patientId: patientOf(row) }
}
