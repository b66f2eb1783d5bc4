import { findMedicines, type MedicineRow } from '#db/catalog/medicines.ts'
import { toMedicine, unitsOf, type Medicine, type MedicineSource } from '#domain/dispensing/medicine.ts'
import type { ChosenMedicine } from '#domain/dispensing/transcription-rules.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'

/** A variant's row as the medicine's rules read it. */
export const toMedicineSource = (row: MedicineRow): MedicineSource => ({
  product: { name: row.productName, ingredients: row.ingredients, route: row.route },
  variant: row,
})

/**
 * The medicine and units of a prescription line. Lines from before migration 0032 name none: theirs
 * are read from the catalog as it is now, with the package that was ordered.
 */
export async function findLineMedicine(
  ctx: Pick<Context, 'db'>,
  line: OrderLine,
): Promise<{ medicine: Medicine | null; units: number | null }> {
  if (line.medicine && line.units !== undefined) return { medicine: line.medicine, units: line.units }
  const [row] = await findMedicines(ctx.db, [line.productVariantId])
  if (!row) return { medicine: null, units: null }
  const { product, variant } = toMedicineSource(row)
  const source = { product, variant: { ...variant, ...line.variant } }
  return { medicine: toMedicine(source), units: unitsOf(source, line.quantity) }
}

/** A variant as a transcription may choose it. */
export const toChosenMedicine = (row: MedicineRow): ChosenMedicine => ({
  medicine: toMedicine(toMedicineSource(row)),
  isPrescription: row.category === 'Rx',
  controlledSchedule: row.controlledSchedule,
})
