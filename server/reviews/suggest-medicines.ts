import { listMedicinesOfProducts, type MedicineRow } from '#db/catalog/medicines.ts'
import { packLabel } from '#domain/catalog/catalog.ts'
import { toMedicine } from '#domain/dispensing/medicine.ts'
import type { MedicineOption } from '#domain/dispensing/review-case.ts'
import { medicineProblem } from '#domain/dispensing/transcription-rules.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { searchProducts } from '../search/search-products.ts'
import { toChosenMedicine, toMedicineSource } from './line-medicine.ts'

const maxProducts = 8
const maxOptions = 40

/**
 * The medicines that match what a pharmacist typed, each with its ingredient, brand, strength and
 * form apart. Variants of the same medicine that differ in package or manufacturer only are one
 * option, unless units are whole packs. Medicines that cannot be transcribed say why. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export async function suggestMedicines(ctx: Context, text: string): Promise<MedicineOption[]> {
  requirePermission(ctx, 'prescriptions.review')
  if (text.trim() === '') return []
  const { products } = await searchProducts(ctx, { q: text, limit: maxProducts })
  const ids = products.map(({ id }) => id)
  const rows = await listMedicinesOfProducts(ctx.db, ids)
  const options = new Map<string, MedicineOption>()
  for (const row of rows.toSorted((a, b) => ids.indexOf(a.productId) - ids.indexOf(b.productId))) {
    const option = toOption(row)
    const name = JSON.stringify([option.productName, option.medicine])
    if (!options.has(name)) options.set(name, option)
  }
  return [...options.values()].slice(0, maxOptions)
}

const toOption = (row: MedicineRow): MedicineOption => ({
  variantId: row.id,
  productName: row.productName,
  medicine: toMedicine(toMedicineSource(row)),
  manufacturer: row.manufacturer,
  package: packLabel(row),
  problem: medicineProblem(toChosenMedicine(row)),
})
