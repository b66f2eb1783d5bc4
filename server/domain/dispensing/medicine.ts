import { z } from 'zod'
import { dosageForms, type DosageForm } from '../catalog/catalog.ts'
import { fold } from '../text.ts'
import { formatStrengthText } from './dose.ts'

/**
 * What identifies a medicine that is dispensed: its substances with their salts, strength, form,
 * route and the directory's own words for the form, which state the release ("TABLET, EXTENDED
 * RELEASE"). Two medicines are the same only when all of these are.
 */
export const medicineSchema = z.object({
  /** With the salt: "Metoprolol succinate". */
  substances: z.string(),
  /** Base ingredients without salts, sorted, as one text: "amlodipine; benazepril". */
  ingredientSet: z.string(),
  strength: z.string(),
  form: z.enum(dosageForms).nullable(),
  /** The directory's text of the form. Null for a variant that an admin created. */
  formText: z.string().nullable(),
  route: z.string().nullable(),
  brandName: z.string().nullable(),
  /** What units count: "tablet", "mL", or "pack" for a pack that stays whole. */
  unit: z.string(),
  /** The size of an unbreakable pack: "60 g". Null when units are counted. */
  pack: z.string().nullable(),
})
export type Medicine = z.infer<typeof medicineSchema>

/** The parts of a product and variant that a medicine is made of. */
export type MedicineSource = {
  product: { name: string; ingredients: string | null; route: string | null }
  variant: {
    genericName: string
    brandName: string | null
    strength: string
    strengthUnit: string
    labelStrength: string | null
    dosageForm: DosageForm | null
    labelForm: string | null
    packageSize: number
    packageUnit: string
  }
}

/** Forms whose packs are dispensed whole: pharmacists do not count out grams of a cream. */
const packForms: ReadonlySet<DosageForm | null> = new Set([
  'cream',
  'ointment',
  'gel',
  'inhaler',
  'injection',
])
/** Routes whose liquids are dispensed in whole bottles: drops and sprays. */
const packRoute = /ophthalmic|otic|nasal|inhal/i
/** Units that a pharmacist counts out. Any other text of the directory is a pack. */
const countedUnits: ReadonlySet<string> = new Set([
  'tablet',
  'capsule',
  'caplet',
  'lozenge',
  'patch',
  'suppository',
  'film',
  'ring',
  'insert',
  'packet',
  'strip',
  'dose',
  'mL',
])

/** Whether units of this variant are counted. Otherwise its packs are. */
function isCounted({ product, variant }: MedicineSource): boolean {
  if (packForms.has(variant.dosageForm) || !countedUnits.has(variant.packageUnit)) return false
  return !(variant.packageUnit === 'mL' && packRoute.test(product.route ?? ''))
}

/** The medicine that a variant is. */
export function toMedicine(source: MedicineSource): Medicine {
  const { product, variant } = source
  const counted = isCounted(source)
  return {
    substances: variant.genericName || product.name,
    ingredientSet: toIngredientSet(product),
    strength: formatStrengthText(
      variant.labelStrength ?? [variant.strength, variant.strengthUnit].filter(Boolean).join(' '),
    ),
    form: variant.dosageForm,
    formText: variant.labelForm,
    route: product.route,
    brandName: variant.brandName,
    unit: counted ? variant.packageUnit : 'pack',
    pack: counted ? null : `${variant.packageSize} ${variant.packageUnit}`,
  }
}

/** The units that a number of packs of a variant holds, in the medicine's unit. */
export const unitsOf = (source: MedicineSource, packs: number): number =>
  isCounted(source) ? packs * source.variant.packageSize : packs

/** The base ingredients of a product, sorted, as one text. */
export const toIngredientSet = ({
  name,
  ingredients,
}: Pick<MedicineSource['product'], 'name' | 'ingredients'>) =>
  (ingredients ?? name)
    .split(';')
    .map((name) => fold(name))
    .filter(Boolean)
    .toSorted()
    .join('; ')

const same = (a: string | null, b: string | null): boolean => fold(a ?? '') === fold(b ?? '')

/** How a medicine differs from the prescribed one; null when it is the same. */
export type Difference = 'ingredient' | 'strength' | 'salt' | 'form' | 'route' | 'pack' | 'brand'

/**
 * Compares what is prescribed with what would be dispensed (docs/dispensing.md, rule 1). Returns
 * every difference, the most important first.
 * @param brand the brand that must be dispensed as written; null when any may be
 */
export function listDifferences(
  prescribed: Medicine,
  offered: Medicine,
  brand: string | null = null,
): Difference[] {
  const differs = {
    ingredient: prescribed.ingredientSet !== offered.ingredientSet,
    strength: !same(prescribed.strength, offered.strength),
    form: prescribed.form !== offered.form || !same(prescribed.formText, offered.formText),
    route: !same(prescribed.route, offered.route),
    salt: !same(prescribed.substances, offered.substances),
    pack: prescribed.unit !== offered.unit || !same(prescribed.pack, offered.pack),
    brand: brand !== null && !same(brand, offered.brandName),
  } satisfies Record<Difference, boolean>
  return mostImportantFirst.filter((difference) => differs[difference])
}

const mostImportantFirst = ['ingredient', 'strength', 'form', 'route', 'salt', 'pack', 'brand'] as const

/** The most important difference; null when the medicine is the same. */
export const findDifference = (
  prescribed: Medicine,
  offered: Medicine,
  brand: string | null = null,
): Difference | null => listDifferences(prescribed, offered, brand)[0] ?? null

const substitutable: ReadonlySet<Difference> = new Set(['salt', 'form', 'brand'])

/**
 * Whether a pharmacist may substitute a medicine with these differences: another salt, form or
 * brand of the same ingredients, strength and route, in the same unit (rule 1). All differences
 * count: a substitute with another form and another route is refused.
 */
export const isSubstitutable = (differences: readonly Difference[]): boolean =>
  differences.every((difference) => substitutable.has(difference))
