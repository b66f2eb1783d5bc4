/** Products and variants as the API and pages show them (specification, section 3). */

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

/** A medicine: active ingredients, route and category. */
export type Product = {
  id: string
  name: string
  description: string | null
  /** A site-relative path or an https URL. The illustration when no picture was uploaded. */
  image: string
  category: Category
  pharmacyId: string | null
  /** The controlled-substance schedule, or null. Scheduled medicines are listed but never sold. */
  controlledSchedule: string | null
}

/** What is sold: a brand or generic, strength, form, package and manufacturer of one product. */
export type Variant = {
  id: string
  productId: string
  /** Empty means generic. */
  brandName: string | null
  genericName: string
  manufacturerId: string | null
  /** Null when the directory does not state it. */
  dosageForm: DosageForm | null
  /** What the label adds to it, such as release and coating: "extended release". Or empty. */
  formDetail: string
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  /**
   * US dollars with two decimals. Null when no price is known; then the variant is not for sale.
   */
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

/**
 * A variant as pages show it: with its manufacturer's name and the text of the directory's label.
 */
export type VariantDetail = Variant & {
  manufacturerName: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
}

/** A product card. Prices are decimal strings, null when no variant has a price. */
export type ProductCard = Product & {
  /**
   * The route ("oral", "ophthalmic"), which distinguishes products of the same name. Null when
   * unknown.
   */
  route: string | null
  /** The URL that was given, when the page shows our copy of it or the illustration instead. */
  givenImage?: string
  imageAlt: string
  priceMin: string | null
  priceMax: string | null
  inStock: boolean
  variantCount: number
  forms: DosageForm[]
  /** The countries whose directories list its packages: "US, Canada". Null when none does. */
  markets: string | null
  /** "from $0.043 per tablet", when the list is sorted by it. */
  unitPrice?: string
  /** The variant whose identifier matched the search, or null. */
  matchedVariantId: string | null
  /** The identifier that matched, formatted for display ("NDC 0228-2899-96"), or null. */
  matchedIdentifier: string | null
}

/** "oral · tablet, liquid · OTC": tells products of one name apart. */
export const productKind = ({
  route,
  forms,
  category,
}: {
  route: string | null
  forms: readonly string[]
  category: string
}): string => [...new Set([route, forms.slice(0, 3).join(', '), category])].filter(Boolean).join(' · ')

/** The brand name shown to customers. */
export const brandLabel = (variant: { brandName: string | null }): string => variant.brandName || 'Generic'

/** The country whose directory lists a package, by its identifier. Null for one without. */
export const marketOf = ({ ndc, din }: Pick<Variant, 'ndc' | 'din'>): string | null =>
  ndc ? 'US' : din ? 'Canada' : null

/** "500 mg". Empty when the directory states no strength. */
export const strengthLabel = (variant: { strength: string; strengthUnit: string }): string =>
  [variant.strength, variant.strengthUnit].filter(Boolean).join(' ')

type Pack = { packageSize: number; packageUnit: string }

/**
 * The unit of a package for its size: "tablets", "patches", "1.5 mL syringes". A measure ("mL") and
 * an abbreviation have no plural.
 */
export const packUnit = ({ packageSize, packageUnit }: Pack): string =>
  packageSize !== 1 && /(^| )([a-z]{3,}[^s\d\W]|pen|kit|box|jar|cup|bag)$/i.test(packageUnit)
    ? `${packageUnit.replace(/([^aeiou])y$/, '$1ie').replace(/(ch|sh|x)$/, '$1e')}s`
    : packageUnit

/** "30 tablets". */
export const packLabel = (variant: Pack): string =>
  [String(variant.packageSize), packUnit(variant)].filter(Boolean).join(' ')

/** "Advil, 200 mg, 24 tablets, film coated": distinguishes the variants of a product. */
export const variantLabel = (
  variant: Pick<
    Variant,
    'brandName' | 'formDetail' | 'strength' | 'strengthUnit' | 'packageSize' | 'packageUnit'
  >,
): string =>
  [brandLabel(variant), strengthLabel(variant), packLabel(variant), variant.formDetail]
    .filter(Boolean)
    .join(', ')

/**
 * Whether a variant can be bought: it has a price, is in stock, and its product is not scheduled.
 */
export const canBuy = (
  product: { controlledSchedule: string | null },
  variant: { price: string | null; inStock: boolean },
): boolean =>
  !product.controlledSchedule && variant.price !== null && Number(variant.price) > 0 && variant.inStock
