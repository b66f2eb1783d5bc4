import { findMedicines } from '#db/catalog/medicines.ts'
import { toMedicine, type Medicine } from '#domain/dispensing/medicine.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { toMedicineSource } from './line-medicine.ts'

/** The medicines that a draft's transcriptions chose, by the variant that the draft names. */
export async function findDraftedMedicines(
  { db }: Pick<Context, 'db'>,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, Medicine>> {
  const ids = Object.entries(fields).flatMap(([name, value]) =>
    name.endsWith('.variantId') && isId(value) ? [value] : [],
  )
  const rows = ids.length === 0 ? [] : await findMedicines(db, [...new Set(ids)])
  return Object.fromEntries(rows.map((row) => [row.id, toMedicine(toMedicineSource(row))]))
}
