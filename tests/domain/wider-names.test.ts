import { ingredientsNamed } from '#domain/screening/wider-names.ts'
import { readIngredientNames } from '#tests/support/care-lists.ts'
import { expect, test } from 'vitest'

const families: Readonly<Record<string, RegExp>> = {
  CALCIUM: /\bCALCIUM\b/,
  INSULIN: /\bINSULIN\b/,
  IRON: /\b(?:IRON|FERROUS|FERRIC)\b/,
  LITHIUM: /\bLITHIUM\b/,
  MAGNESIUM: /\bMAGNESIUM\b/,
  POTASSIUM: /\bPOTASSIUM\b/,
  ZINC: /\bZINC\b/,
}

/** Ingredients that these names do not mean, by why. */
const excluded = {
  'the NDC Directory of 2015 has it in homeopathic dilutions only': [
    'CALCIUM FLUORIDE',
    'CALCIUM IODIDE',
    'CALCIUM SULFATE ANHYDROUS',
    'CALCIUM SULFIDE',
    'FERRIC PHOSPHATE',
    'FERRIC PICRATE',
    'FERROUS IODIDE',
    'LITHIUM BENZOATE',
    'MAGNESIUM PHOSPHATE, DIBASIC',
    'POTASSIUM BENZOATE',
    'POTASSIUM BROMIDE',
    'POTASSIUM CARBONATE',
    'POTASSIUM DICHROMATE',
    'ZINC BROMIDE',
    'ZINC VALERATE DIHYDRATE',
  ],
  'another part of it is the medicine': [
    'ACETYLCYSTEINE ZINC',
    'ATORVASTATIN CALCIUM PROPYLENE GLYCOL SOLVATE',
    'BACITRACIN ZINC',
    'CALCIUM OXYBATE',
    'CALCIUM PANTOTHENATE',
    'CALCIUM POLYSTYRENE SULFONATE',
    'MAGNESIUM OXYBATE',
    'POTASSIUM IODIDE',
    'POTASSIUM OXYBATE',
    'POTASSIUM TRIIODIDE',
    'PYRITHIONE ZINC',
  ],
  'it is for the skin or the teeth, or it is not absorbed': [
    'FERRIC FERROCYANIDE',
    'FERRIC OXYHYDROXIDE',
    'FERRIC SUBSULFATE',
    'FERRIC SULFATE',
    'POTASSIUM HYDROXIDE',
    'POTASSIUM NITRATE',
  ],
} as const

test('the name of a mineral or of insulin means every kind of it that the directories have', () => {
  const keys = [...new Set(readIngredientNames().map(({ ingredient }) => ingredient))]
  const isExcluded = (key: string) => Object.values(excluded).some((list) => list.some((one) => one === key))
  for (const [name, kinds] of Object.entries(families)) {
    const listed = keys.filter((key) => kinds.test(key) && !isExcluded(key))
    expect([...new Set([name, ...listed])].toSorted(), name).toEqual(ingredientsNamed(name).toSorted())
  }
  expect(Object.values(excluded).flatMap((list) => list.filter((key) => !keys.includes(key)))).toEqual([])
})
