import { brandLabel, packLabel, strengthLabel, type VariantDetail } from './catalog.ts'

/**
 * With more variants than this, only those that match the filters are listed (contract, "Labels":
 * Product).
 */
export const initialVariantCount = 24

/** Filters for a product's variants, in the order a customer chooses. Absent means any. */
export type VariantChoice = {
  form?: string | undefined
  strength?: string | undefined
  brand?: string | undefined
  pack?: string | undefined
}

type Facet = keyof VariantChoice

/** The values that are still possible for a facet, given the facets before it. */
export type FacetOptions = { facet: Facet; selected: string | null; options: string[] }

export type NarrowedVariants = { facets: FacetOptions[]; matching: VariantDetail[] }

const valueOf: Record<Facet, (variant: VariantDetail) => string> = {
  form: (variant) => variant.dosageForm ?? 'form not stated',
  strength: (variant) => strengthLabel(variant) || 'strength not stated',
  brand: brandLabel,
  pack: packLabel,
}

/**
 * Form, then strength, then brand and package. Each offers only what the facets before it leave.
 */
const facetOrder: readonly Facet[] = ['form', 'strength', 'brand', 'pack']

const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Applies the filters facet by facet. Ignores a value that the earlier facets rule out. */
export function narrowVariants(variants: readonly VariantDetail[], choice: VariantChoice): NarrowedVariants {
  let matching = [...variants]
  const facets: FacetOptions[] = []
  for (const facet of facetOrder) {
    const options = [...new Set(matching.map(valueOf[facet]))].sort(naturalOrder.compare)
    const requested = choice[facet]
    const selected = requested !== undefined && options.includes(requested) ? requested : null
    if (selected !== null) matching = matching.filter((variant) => valueOf[facet](variant) === selected)
    facets.push({ facet, selected, options })
  }
  return { facets, matching }
}

/**
 * What can be bought first, then what has a price, then by lowest price, strength and package size.
 */
export function sortByOffer(variants: readonly VariantDetail[]): VariantDetail[] {
  // Sort keys are computed once per variant, not once per comparison: a product may have a
  // thousand.
  const keyed = variants.map((variant) => ({
    variant,
    rank: variant.price === null ? 2 : variant.inStock ? 0 : 1,
    price: Number(variant.price),
    strength: strengthLabel(variant),
  }))
  keyed.sort(
    (a, b) =>
      a.rank - b.rank ||
      a.price - b.price ||
      (a.strength === b.strength ? 0 : naturalOrder.compare(a.strength, b.strength)) ||
      a.variant.packageSize - b.variant.packageSize ||
      (a.variant.id < b.variant.id ? -1 : 1),
  )
  return keyed.map(({ variant }) => variant)
}

/**
 * Dollars per unit of the package (one tablet, one mL), or null without a price. For comparing
 * only, not money.
 */
export const pricePerUnit = (variant: { price: string | null; packageSize: number }): number | null =>
  variant.price === null ? null : Number(variant.price) / Math.max(variant.packageSize, 1)

export type Saving = { variantId: string; percent: number; perPack: string }

/** What the generic saves against the brand for the same amount. Null when it saves nothing. */
export function computeSaving(brand: VariantDetail, generic: VariantDetail | undefined): Saving | null {
  const [brandPrice, genericPrice] = [pricePerUnit(brand), generic ? pricePerUnit(generic) : null]
  if (
    !generic ||
    brandPrice === null ||
    genericPrice === null ||
    genericPrice <= 0 ||
    genericPrice >= brandPrice
  )
    return null
  const percent = Math.round((1 - genericPrice / brandPrice) * 100)
  if (percent === 0) return null
  return {
    variantId: generic.id,
    percent,
    perPack: ((brandPrice - genericPrice) * brand.packageSize).toFixed(2),
  }
}
