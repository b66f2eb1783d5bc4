import { listItemsOfPrescription } from '#db/dispensing/items.ts'
import { pipeline } from '#db/engine/sql.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { isId } from '#domain/ids.ts'
import { patientOf } from '#domain/prescriptions/prescriptions.ts'
import type { ChosenPrescription } from '#domain/dispensing/resolve-line.ts'
import type { Context } from '../context.ts'

/**
 * The prescription that the customer chose. Null for none and for another customer's. The caller
 * checks whether it can still be used.
 */
export async function findChosenPrescription(
  { db }: Pick<Context, 'db'>,
  userId: string,
  prescriptionId: string | null,
): Promise<ChosenPrescription | null> {
  if (prescriptionId === null || !isId(prescriptionId)) return null
  const [items, row] = await pipeline(
    listItemsOfPrescription(db, prescriptionId),
    findPrescription(db, prescriptionId),
  )
  if (row?.userId !== userId) return null
  return { id: prescriptionId, isTranscribed: items.length > 0, patientId: patientOf(row) }
}
