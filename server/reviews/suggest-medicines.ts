import { listMedicinesOfProducts, type MedicineRow } from '#db/catalog/medicines.ts'
import { packLabel } from '#domain/catalog/catalog.ts'
import { toMedicine } from '#domain/dispensing/medicine.ts'
import type { MedicineOption } from '#domain/dispensing/case-prescription.ts'
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
  const { products } = await searchProducts({ reads: ctx.db }, { q: text, limit: maxProducts })
  const ids = products.map(({ id }) => id)
  const rows = await listMedicinesOfProducts(ctx.db, ids)
  const options = new Map<string, MedicineOption>()
  for (const row of rows.toSorted((a, b) => ids.indexOf(a.productId) - ids.indexOf(b.productId))) {
    const option = toOption(row)
    const name = JSON.stringify([option.productName, option.medicine])
    if (!options.has(name)) options.set(name, option)
  }
  return sortByStrength([...options.values()], text).slice(0, maxOptions)
}

/** The options with the typed numbers in their strength first: "lisinopril 20" means 20 mg. */
function sortByStrength(options: MedicineOption[], text: string): MedicineOption[] {
  const typed = numbersIn(text)
  const rank = ({ medicine }: MedicineOption): number => {
    const strength = numbersIn(medicine.strength)
    if (typed.every((number) => strength.includes(number))) return 0
    // "2" may become "20".
    return typed.every((start) => strength.some((number) => number.startsWith(start))) ? 1 : 2
  }
  return typed.length === 0 ? options : options.toSorted((a, b) => rank(a) - rank(b))
}

const numbersIn = (text: string): string[] => text.match(/\d+(\.\d+)?/g) ?? []

const toOption = (row: MedicineRow): MedicineOption => ({
  variantId: row.id,
  productName: row.productName,
  medicine: toMedicine(toMedicineSource(row)),
  manufacturer: row.manufacturer,
  package: packLabel(row),
  problem: medicineProblem(toChosenMedicine(row)),
})
