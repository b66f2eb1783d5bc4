/**
 * What the lists of interactions and of brands call an ingredient that products name by its salt or
 * kind. NDF-RT and labels write "lithium" and "insulin"; a product has lithium carbonate or insulin
 * glargine. Each of these names has rows in `interactions-ndfrt`, `interactions-label` or
 * `rxnorm-brands`.
 */
const ingredientsOf: Readonly<Record<string, readonly string[]>> = {
  'ATAZANAVIR SO4': ['ATAZANAVIR'],
  CALCIUM: [
    'CALCIUM ACETATE',
    'CALCIUM ASCORBATE',
    'CALCIUM CARBONATE',
    'CALCIUM CHLORIDE',
    'CALCIUM CITRATE',
    'CALCIUM FORMATE',
    'CALCIUM GLUCEPTATE',
    'CALCIUM GLUCONATE',
    'CALCIUM GLUCONATE MONOHYDRATE',
    'CALCIUM PHOSPHATE, DIBASIC',
    'CALCIUM THREONATE',
    'OYSTER SHELL CALCIUM CARBONATE, CRUDE',
  ],
  'CABOZANTINIB S-MALATE': ['CABOZANTINIB'],
  CERTOLIZUMAB: ['CERTOLIZUMAB PEGOL'],
  'DICLOFENAC EPOLAMINE': ['DICLOFENAC'],
  'ESOMEPRAZOLE STRONTIUM': ['ESOMEPRAZOLE'],
  ESTROGENS: [
    'CONJUGATED ESTROGENS',
    'ESTROGENS, CONJUGATED SYNTHETIC A',
    'ESTROGENS, CONJUGATED SYNTHETIC B',
    'ESTROGENS, ESTERIFIED',
  ],
  'FINGOLIMOD LAURYL': ['FINGOLIMOD'],
  'GRAPEFRUIT EXTRACT': ['GRAPEFRUIT'],
  INSULIN: [
    'INSULIN ASPART',
    'INSULIN ASPART PROTAMINE',
    'INSULIN BIOSYNTHETIC HUMAN BR',
    'INSULIN DEGLUDEC',
    'INSULIN DETEMIR',
    'INSULIN GLARGINE',
    'INSULIN GLULISINE',
    'INSULIN HUMAN',
    'INSULIN HUMAN ISOPHANE',
    'INSULIN ICODEC',
    'INSULIN INJECTION PORK',
    'INSULIN ISOPHANE',
    'INSULIN ISOPHANE INJECTION PORK',
    'INSULIN LISPRO',
    'INSULIN LISPRO PROTAMINE SUSPENSION',
    'INSULIN SEMI SYNTHETIC HUMAN',
  ],
  'INSULIN ASPART, HUMAN': ['INSULIN ASPART'],
  IRON: [
    'FERRIC CARBOXYMALTOSE',
    'FERRIC CHLORIDE',
    'FERROUS ASPARTO GLYCINATE',
    'FERROUS BISGLYCINATE',
    'FERROUS CYSTEINE GLYCINATE',
    'FERROUS FUMARATE',
    'FERROUS GLUCONATE',
    'FERROUS SULFATE',
    'HEME IRON POLYPEPTIDE',
    'IRON DEXTRAN',
    'IRON PENTACARBONYL',
    'IRON SUCROSE',
    'SODIUM FERRIC GLUCONATE COMPLEX',
  ],
  KANAMYCIN: ['KANAMYCIN A'],
  LITHIUM: ['LITHIUM CARBONATE', 'LITHIUM CITRATE', 'LITHIUM HYDROXIDE'],
  MAGNESIUM: [
    'MAGNESIUM ACETATE',
    'MAGNESIUM ACETATE TETRAHYDRATE',
    'MAGNESIUM CARBONATE',
    'MAGNESIUM CHLORIDE',
    'MAGNESIUM GLUCONATE',
    'MAGNESIUM GLYCINATE',
    'MAGNESIUM HYDROXIDE',
    'MAGNESIUM L-THREONATE',
    'MAGNESIUM OXIDE',
    'MAGNESIUM SULFATE',
    'MAGNESIUM SULFATE HEPTAHYDRATE',
  ],
  'MECLOFENAMIC ACID': ['MECLOFENAMATE'],
  'MICAFUNGIN NA': ['MICAFUNGIN'],
  PENICILLIN: ['PENICILLIN G', 'PENICILLIN V'],
  PHENYLBUTYRATE: ['GLYCEROL PHENYLBUTYRATE', 'SODIUM PHENYLBUTYRATE'],
  'PENTAMIDINE DIISETHIONATE': ['PENTAMIDINE'],
  POTASSIUM: [
    'POTASSIUM ACETATE',
    'POTASSIUM BICARBONATE',
    'POTASSIUM CHLORIDE',
    'POTASSIUM CITRATE',
    'POTASSIUM GLUCONATE',
    'POTASSIUM PHOSPHATE DIBASIC',
    'POTASSIUM PHOSPHATE MONOBASIC',
    'POTASSIUM PHOSPHATE, DIBASIC',
    'POTASSIUM PHOSPHATE, MONOBASIC',
    'POTASSIUM SULFATE',
  ],
  OXYBATE: ['CALCIUM OXYBATE', 'MAGNESIUM OXYBATE', 'POTASSIUM OXYBATE', 'SODIUM OXYBATE'],
  'RABEPRAZOLE NA': ['RABEPRAZOLE'],
  TENOFOVIR: ['TENOFOVIR ALAFENAMIDE', 'TENOFOVIR DISOPROXIL'],
  THYROID: ['SUS SCROFA THYROID', 'THYROID, PORCINE'],
  THIOSULFATE: ['SODIUM THIOSULFATE'],
  TRIAMCINOLONE: ['TRIAMCINOLONE ACETONIDE'],
  'VARICELLA VIRUS VACCINE,LIVE': [
    'VARICELLA VIRUS LIVE ATTENUATED',
    'VARICELLA-ZOSTER VIRUS LIVE ATTENUATED',
  ],
  'VILANTEROL TRIFENATATE': ['VILANTEROL'],
  ZINC: [
    'ZINC ACETATE',
    'ZINC CHLORIDE',
    'ZINC CITRATE',
    'ZINC GLUCONATE',
    'ZINC GLUCONATE TRIHYDRATE',
    'ZINC OXIDE',
    'ZINC PICOLINATE',
    'ZINC SULFATE',
    'ZINC SULFATE ANHYDROUS',
    'ZINC SULFATE HEPTAHYDRATE',
    'ZINC SULFATE MONOHYDRATE',
  ],
}

const namesOf = new Map<string, string[]>()
for (const [name, ingredients] of Object.entries(ingredientsOf))
  for (const ingredient of ingredients) namesOf.set(ingredient, [...(namesOf.get(ingredient) ?? []), name])

/** Ingredients with the other names by which the lists of interactions mean them. */
export const withWiderNames = (ingredients: readonly string[]): string[] => [
  ...new Set(ingredients.flatMap((ingredient) => [ingredient, ...(namesOf.get(ingredient) ?? [])])),
]

/** The names of those lists that stand for other ingredients. */
export const widerNames: readonly string[] = Object.keys(ingredientsOf)

/** The ingredients that a name of those lists means: the one of that name, and those it covers. */
export const ingredientsNamed = (name: string): readonly string[] => [name, ...(ingredientsOf[name] ?? [])]
