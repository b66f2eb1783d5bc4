import { brandLabel, packLabel, strengthLabel, type VariantDetail } from './catalog.ts'

/** Past this many variants only those that match the narrowing are listed (contract, "Labels": Product). */
export const listedVariants = 24

/** What narrows a medicine's variants, in the order a customer chooses. Absent means any. */
export type VariantChoice = {
  form?: string | undefined
  strength?: string | undefined
  brand?: string | undefined
  pack?: string | undefined
}

type Facet = keyof VariantChoice

/** The values still possible for one facet, given those before it. */
export type FacetOptions = { facet: Facet; chosen: string | null; options: string[] }

export type Narrowed = { facets: FacetOptions[]; matching: VariantDetail[] }

const valueOf: Record<Facet, (variant: VariantDetail) => string> = {
  form: (variant) => variant.dosageForm ?? 'form not stated',
  strength: (variant) => strengthLabel(variant) || 'strength not stated',
  brand: brandLabel,
  pack: packLabel,
}

/** Form, then strength, then brand and pack; each is offered only what the ones before it leave. */
const facetOrder: readonly Facet[] = ['form', 'strength', 'brand', 'pack']

const numerically = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Applies the choice facet by facet; a value that the earlier ones rule out counts as not chosen. */
export function narrowVariants(variants: readonly VariantDetail[], choice: VariantChoice): Narrowed {
  let matching = [...variants]
  const facets: FacetOptions[] = []
  for (const facet of facetOrder) {
    const options = [...new Set(matching.map(valueOf[facet]))].sort(numerically.compare)
    const wanted = choice[facet]
    const chosen = wanted !== undefined && options.includes(wanted) ? wanted : null
    if (chosen !== null) matching = matching.filter((variant) => valueOf[facet](variant) === chosen)
    facets.push({ facet, chosen, options })
  }
  return { facets, matching }
}

/** What can be bought first, then what has a price, then the lowest price, strength and pack. */
export function sortByOffer(variants: readonly VariantDetail[]): VariantDetail[] {
  // What is compared is worked out once a variant, not once a comparison: a medicine may have a thousand.
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
      (a.strength === b.strength ? 0 : numerically.compare(a.strength, b.strength)) ||
      a.variant.packageSize - b.variant.packageSize ||
      (a.variant.id < b.variant.id ? -1 : 1),
  )
  return keyed.map(({ variant }) => variant)
}

/** Dollars for one unit of the pack (one tablet, one mL), or null without a price. Not money: a figure to compare. */
export const pricePerUnit = (variant: { price: string | null; packageSize: number }): number | null =>
  variant.price === null ? null : Number(variant.price) / Math.max(variant.packageSize, 1)

export type Saving = { variantId: string; percent: number; perPack: string }

/** What the generic saves against its brand, for the same amount of medicine; null when it saves nothing. */
export function savingOf(brand: VariantDetail, generic: VariantDetail | undefined): Saving | null {
  const [dear, cheap] = [pricePerUnit(brand), generic ? pricePerUnit(generic) : null]
  if (!generic || dear === null || cheap === null || cheap <= 0 || cheap >= dear) return null
  const percent = Math.round((1 - cheap / dear) * 100)
  if (percent === 0) return null
  return {
    variantId: generic.id,
    percent,
    perPack: ((dear - cheap) * brand.packageSize).toFixed(2),
  }
}
