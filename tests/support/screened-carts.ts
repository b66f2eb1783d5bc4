import type { ScreenedLine } from '#domain/screening/line.ts'
import type { ScreenedAllergy, ScreenedMedication } from '#domain/screening/patient.ts'
import {
  resolveIngredients,
  toIngredientIndex,
  toShownMoiety,
  type NameRow,
} from '#domain/screening/product-ingredients.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { readIngredientNames } from './care-lists.ts'
import { lineOf, medicationOf, patientWith } from './screening.ts'

/**
 * Made-up carts of the demo catalog's real medicines. Medicines are drawn by their units sold,
 * which follow how many products the directories have of them. They are drawn independently: real
 * prescribers avoid the worst pairs, so that these carts have more alerts than real ones.
 */

const catalogSchema = z.object({
  products: z.array(
    z.object({
      name: z.string(),
      ingredients: z.string(),
      route: z.string().nullable(),
      category: z.enum(['Rx', 'OTC']),
      controlledSchedule: z.string().nullable(),
      unitsSold: z.number(),
      variants: z.array(z.object({ id: z.string(), strength: z.string(), strengthUnit: z.string() })),
    }),
  ),
})

export type CartMedicine = {
  name: string
  ingredients: readonly string[]
  isIncomplete: boolean
  route: string | null
  isRx: boolean
  isSold: boolean
  weight: number
  variants: readonly { id: string; strength: string }[]
}

/** What the shop never sells (`db/catalog/listed-chemicals.ts`). */
const listedChemical = /ephedrine|phenylpropanolamine/i
/** What patients list of medicines that the shop does not sell. */
const controlledWeight = 60

/** The demo catalog's medicines with their ingredients. */
export function readCartMedicines(): CartMedicine[] {
  const index = toIngredientIndex(
    readIngredientNames().flatMap(({ name, ingredient, products }): NameRow[] => [
      { kind: 'name', key: name, ingredient, products },
      { kind: 'moiety', key: toShownMoiety(name), ingredient, products },
    ]),
  )
  const { products } = catalogSchema.parse(JSON.parse(readFileSync('db/seed/demo-catalog.json', 'utf8')))
  return products.map((product) => {
    const { ingredients, unknownNames } = resolveIngredients(product, index)
    return {
      name: product.name,
      ingredients,
      isIncomplete: unknownNames.length > 0,
      route: product.route,
      isRx: product.category === 'Rx',
      isSold: product.controlledSchedule === null && !listedChemical.test(product.ingredients),
      weight: product.controlledSchedule === null ? product.unitsSold : controlledWeight,
      variants: product.variants.map(({ id, strength, strengthUnit }) => ({
        id,
        strength: `${strength} ${strengthUnit}`,
      })),
    }
  })
}

/** How often a cart has 1 to 5 lines, and a patient 0 to 8 medications. */
const lineShares = [0.4, 0.25, 0.17, 0.11, 0.07]
const medicationShares = [0.22, 0.16, 0.14, 0.12, 0.1, 0.09, 0.07, 0.06, 0.04]
const shares = { otc: 0.5, refill: 0.6, allergic: 0.15, pregnant: 0.01 }
const allergies: readonly ScreenedAllergy[] = [
  { name: 'Penicillin', kind: 'group', key: 'penicillin' },
  { name: 'Sulfa', kind: 'group', key: 'sulfonamide-antibacterial' },
  { name: 'NSAIDs', kind: 'group', key: 'nsaid' },
  { name: 'Codeine', kind: 'ingredient', key: 'CODEINE' },
  { name: 'Egg', kind: 'group', key: 'egg' },
]

function drawIndex(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weights.length - 1
}

/** A generator of carts, the same for the same random numbers. */
export function cartGenerator(
  medicines: readonly CartMedicine[],
  random: () => number,
): () => ScreeningInput {
  const pools = {
    rx: medicines.filter(({ isRx, isSold }) => isRx && isSold),
    otc: medicines.filter(({ isRx, isSold }) => !isRx && isSold),
    all: medicines,
  }
  const weights = {
    rx: pools.rx.map(({ weight }) => weight),
    otc: pools.otc.map(({ weight }) => weight),
    all: pools.all.map(({ weight }) => weight),
  }
  const draw = (pool: keyof typeof pools): CartMedicine => {
    const medicine = pools[pool][drawIndex(weights[pool], random)]
    if (!medicine) throw new Error(`The catalog has no ${pool} medicine.`)
    return medicine
  }
  const toLine = (medicine: CartMedicine, index: number): ScreenedLine => {
    const variant = medicine.variants[Math.floor(random() * medicine.variants.length)]
    return lineOf(medicine.ingredients, {
      id: String(index),
      name: medicine.name,
      variantId: variant?.id ?? medicine.name,
      strength: variant?.strength ?? '',
      isIncomplete: medicine.isIncomplete,
      route: medicine.route,
      itemId: medicine.isRx ? `item of ${medicine.name} ${variant?.strength}` : null,
    })
  }
  return () => {
    const taken: CartMedicine[] = []
    const medicationCount = drawIndex(medicationShares, random)
    while (taken.length < medicationCount) {
      const medicine = draw(random() < 0.2 ? 'otc' : 'all')
      if (!taken.includes(medicine)) taken.push(medicine)
    }
    const lines: CartMedicine[] = []
    const lineCount = drawIndex(lineShares, random) + 1
    while (lines.length < lineCount) {
      const refills = taken.filter(({ isRx, isSold }) => isRx && isSold)
      const isOtc = random() < shares.otc
      const refill = refills[Math.floor(random() * refills.length)]
      const medicine = isOtc ? draw('otc') : refill && random() < shares.refill ? refill : draw('rx')
      if (!lines.includes(medicine)) lines.push(medicine)
      else if (refills.length > 0 && lines.length >= refills.length) lines.push(draw('otc'))
    }
    const years = 18 + Math.floor(random() * 70)
    const isAllergic = random() < shares.allergic
    const allergy = allergies[Math.floor(random() * allergies.length)]
    const canBePregnant = years < 50 && random() < 0.5
    return {
      today: '2026-11-22',
      lines: lines.map(toLine),
      patient: patientWith({
        medications: taken.map((medicine): ScreenedMedication =>
          medicationOf(medicine.ingredients, { name: medicine.name, route: medicine.route }),
        ),
        allergies: isAllergic && allergy ? [allergy] : [],
        birthDate: `${2026 - years}-05-05`,
        pregnant: canBePregnant ? random() < shares.pregnant * 4 : false,
      }),
    }
  }
}
