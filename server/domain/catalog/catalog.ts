/** What a medicine and its variants are to the outside (specification, section 3). */

export const dosageForms = [
  'tablet',
  'capsule',
  'liquid',
  'syrup',
  'cream',
  'ointment',
  'gel',
  'injection',
  'inhaler',
  'patch',
  'suppository',
] as const
export type DosageForm = (typeof dosageForms)[number]

export const categories = ['Rx', 'OTC'] as const
export type Category = (typeof categories)[number]

/** A medicine: its active ingredients, route and category. */
export type Product = {
  id: string
  name: string
  description: string | null
  /** A site-relative path or an https URL; the illustration when no picture was given. */
  image: string
  category: Category
  pharmacyId: string | null
  /** The schedule's own words, or null. A scheduled medicine is shown and never sold. */
  controlledSchedule: string | null
}

/** What is sold: brand or generic, strength, form, pack and maker of one product. */
export type Variant = {
  id: string
  productId: string
  /** Empty means generic. */
  brandName: string | null
  genericName: string
  manufacturerId: string | null
  /** Null when the directory does not state it. */
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  /** US dollars with two decimals; null when no price is known, and then it is not sold. */
  price: string | null
  sku: string | null
  upc: string | null
  /** The dashed package code as published. */
  ndc: string | null
  din: string | null
  inStock: boolean
  stockQuantity: number
  trackInventory: boolean
  linkedVariantId: string | null
}

/** A variant as a page shows it: with its maker's name and the directory's own words. */
export type VariantDetail = Variant & {
  manufacturerName: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
}

/** One product in a grid. Prices are decimal strings; null when no variant has one. */
export type ProductCard = Product & {
  /** How it is taken ("oral", "ophthalmic"), which tells apart medicines of one name; null when unknown. */
  route: string | null
  imageAlt: string
  priceMin: string | null
  priceMax: string | null
  inStock: boolean
  variantCount: number
  forms: DosageForm[]
  /** The variant whose identifier the search matched, else null. */
  matchedVariantId: string | null
  /** The identifier that matched, as one shows it ("NDC 0228-2899-96"), else null. */
  matchedIdentifier: string | null
}

/** The name a customer reads for a variant's brand. */
export const brandLabel = (variant: { brandName: string | null }): string => variant.brandName || 'Generic'

/** "500 mg"; empty when the directory states none. */
export const strengthLabel = (variant: { strength: string; strengthUnit: string }): string =>
  [variant.strength, variant.strengthUnit].filter(Boolean).join(' ')

/** "30 tablets" is not what the directory says; we show its unit as it stands: "30 tablet". */
export const packLabel = (variant: { packageSize: number; packageUnit: string }): string =>
  [String(variant.packageSize), variant.packageUnit].filter(Boolean).join(' ')

/** "Advil, 200 mg, 24 tablet": what tells the variants of one medicine apart. */
export const variantLabel = (
  variant: Pick<Variant, 'brandName' | 'strength' | 'strengthUnit' | 'packageSize' | 'packageUnit'>,
): string => [brandLabel(variant), strengthLabel(variant), packLabel(variant)].filter(Boolean).join(', ')

/** Whether a variant can be bought: it has a price, is in stock and its medicine is not scheduled. */
export const canBuy = (
  product: { controlledSchedule: string | null },
  variant: { price: string | null; inStock: boolean },
): boolean =>
  !product.controlledSchedule && variant.price !== null && Number(variant.price) > 0 && variant.inStock
