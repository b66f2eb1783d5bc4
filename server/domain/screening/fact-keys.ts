import type { ScreenedLine } from './line.ts'
import type { ScreenedPatient } from './patient.ts'
import { joinIngredients } from './product-ingredients.ts'
import { withWiderNames } from './wider-names.ts'

/** What to look up for a case. */
export type FactKeys = {
  /** All ingredients of the case, by all names that the lists of interactions have for them. */
  ingredients: readonly string[]
  /** Ingredients, and sets of them that one item has, as labels of combinations name them. */
  subjects: readonly string[]
  /** The same for the lines only. */
  lineSubjects: readonly string[]
  /** Ingredients whose allergy groups matter: those of the lines and of the allergies. */
  allergyIngredients: readonly string[]
  /** The lines' sets and single ingredients: labels are found by these. */
  labelSets: readonly string[]
  /** Of the lines, for boxed warnings. */
  applicationNumbers: readonly string[]
  /** The lines' sets, for shortages and the boxed warnings of applications that were not read. */
  lineSets: readonly string[]
  /** The lines' packages, dashed. */
  ndcs: readonly string[]
  /** Their variants, DINs and UPCs. */
  shopCodes: readonly string[]
  /** The lots that the lines' stock has. */
  lots: readonly string[]
}

/** Up to this many ingredients of an item, all their sets are looked up. */
const smallItem = 6
/** Up to this many, sets of three. Beyond, which only homeopathic mixtures are, pairs. */
const mediumItem = 16

export function toFactKeys(lines: readonly ScreenedLine[], patient: ScreenedPatient): FactKeys {
  const hasAllergies = patient.allergies.some(({ kind }) => kind !== 'unrecognized')
  const lineIngredients = lines.flatMap(({ ingredients }) => ingredients)
  const lineSubjects = unique(lines.flatMap(({ ingredients }) => subjectsOf(ingredients)))
  const sets = lines.map(({ ingredients }) => joinIngredients(ingredients)).filter(Boolean)
  const taken = patient.medications.map(({ ingredients }) => ingredients)
  return {
    ingredients: withWiderNames([...lineIngredients, ...taken.flat()]),
    subjects: unique([...lineSubjects, ...taken.flatMap(subjectsOf)]),
    lineSubjects,
    allergyIngredients: hasAllergies
      ? unique([
          ...lineIngredients,
          ...patient.allergies.filter(({ kind }) => kind === 'ingredient').map(({ key }) => key),
        ])
      : [],
    labelSets: unique([...lineIngredients, ...sets]),
    lineSets: unique(sets),
    lots: unique(lines.flatMap(({ lots }) => lots ?? [])),
    applicationNumbers: unique(lines.flatMap(({ applicationNumber }) => applicationNumber ?? [])),
    ndcs: unique(lines.flatMap(({ ndc }) => ndc ?? [])),
    shopCodes: unique(lines.flatMap(({ shopCodes }) => shopCodes)),
  }
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]

/** An item's ingredients, and the sets of them by which a label can list its pairs. */
function subjectsOf(ingredients: readonly string[]): string[] {
  const size = new Set(ingredients).size
  const names = withWiderNames(ingredients).toSorted()
  const largest = size <= smallItem ? size : size <= mediumItem ? 3 : 2
  let sets: string[][] = [[]]
  const found: string[][] = []
  for (const name of names) {
    const grown = sets.filter(({ length }) => length < largest).map((set) => [...set, name])
    found.push(...grown)
    sets = [...sets, ...grown]
  }
  return unique([...found.map((set) => set.join(' + ')), joinIngredients(ingredients)]).filter(Boolean)
}
