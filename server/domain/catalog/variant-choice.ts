import { brandLabel, packLabel, strengthLabel, type VariantDetail } from './catalog.ts'
import { offerForm } from './offer-form.ts'
import { compareStrengthRanks, toStrengthRank, type StrengthRank } from './compare-strengths.ts'

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

const byStrength = (a: VariantDetail, b: VariantDetail): number =>
  compareStrengthRanks(toStrengthRank(a), toStrengthRank(b))

/** Applies the filters facet by facet. Ignores a value that the earlier facets rule out. */
export function narrowVariants(variants: readonly VariantDetail[], choice: VariantChoice): NarrowedVariants {
  let matching = [...variants]
  const facets: FacetOptions[] = []
  for (const facet of facetOrder) {
    const options =
      facet === 'strength'
        ? [...new Set(matching.toSorted(byStrength).map(valueOf.strength))]
        : [...new Set(matching.map(valueOf[facet]))].sort(naturalOrder.compare)
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

/** Variants of one form, salt and strength, the best offer first. */
type StrengthGroup = {
  /** Our own form, which the filter offers. */
  filter: string
  form: string
  ingredient: string
  rank: StrengthRank
  offers: VariantDetail[]
}

/** 1000 mg and 1 g are one strength. Amounts that are not numbers differ by their label. */
const strengthKey = ({ dimension, amounts, label }: StrengthRank): string =>
  [dimension, ...(amounts.some(Number.isNaN) ? [label] : amounts)].join('\n')

/** The active ingredient with its salt. */
const ingredientOf = ({ genericName }: VariantDetail): string => genericName.toLowerCase()

/**
 * Groups offers by form, then ingredient, then strength, weakest first. A form that is not stated
 * comes last.
 */
function groupByStrength(offers: readonly VariantDetail[]): StrengthGroup[] {
  const groups: StrengthGroup[] = []
  const found = new Map<string, StrengthGroup>()
  for (const variant of offers) {
    const filter = variant.dosageForm ?? ''
    const form = offerForm(variant)
    const ingredient = ingredientOf(variant)
    const rank = toStrengthRank(variant)
    const key = [filter, form, ingredient, strengthKey(rank)].join('\n')
    const group = found.get(key)
    if (group) group.offers.push(variant)
    else {
      const added = { filter, form, ingredient, rank, offers: [variant] }
      found.set(key, added)
      groups.push(added)
    }
  }
  return groups.sort(
    (a, b) =>
      Number(a.filter === '') - Number(b.filter === '') ||
      naturalOrder.compare(a.filter, b.filter) ||
      naturalOrder.compare(a.form, b.form) ||
      naturalOrder.compare(a.ingredient, b.ingredient) ||
      compareStrengthRanks(a.rank, b.rank),
  )
}

/**
 * Offers in the order that a page lists them: by form, ingredient and strength, then the best offer
 * first.
 */
export const sortByStrength = (offers: readonly VariantDetail[]): VariantDetail[] =>
  groupByStrength(offers).flatMap((group) => group.offers)

/** An offer in a list, with the heading that it belongs to. */
export type ListedOffer = VariantDetail & {
  heading: string | null
  /** A note for this customer. */
  note?: string
}

/**
 * What heads offers in a list: "tablet, extended release", or "capsule, doxycycline hyclate" in a
 * product of several salts. Null in a product of one form and salt.
 * @param all every variant of the product
 */
export function offerHeadings(all: readonly VariantDetail[]): (variant: VariantDetail) => string | null {
  const hasForms = new Set(all.map(offerForm)).size > 1
  const hasIngredients = new Set(all.map(ingredientOf)).size > 1
  if (!hasForms && !hasIngredients) return () => null
  return (variant) =>
    [offerForm(variant) || 'form not stated', hasIngredients && ingredientOf(variant)]
      .filter(Boolean)
      .join(', ')
}

/**
 * At most `atMost` of the offers, in the same order, or one of each strength where these are more.
 * Each strength gets its turn: the cheapest packs of one strength must not hide the others.
 */
export function listOffers(offers: readonly VariantDetail[], atMost: number): VariantDetail[] {
  if (offers.length <= atMost) return sortByStrength(offers)
  const groups = groupByStrength(offers)
  // No filter chooses between two salts or two forms of one kind.
  const count = Math.max(atMost, groups.length)
  const listed = new Set<VariantDetail>()
  for (let turn = 0; listed.size < count; turn++) {
    for (const group of groups) {
      const variant = group.offers[turn]
      if (variant && listed.size < count) listed.add(variant)
    }
  }
  return groups.flatMap((group) => group.offers.filter((variant) => listed.has(variant)))
}

/** What the customer must choose before a variant can be selected for them, or null. */
export type OpenChoice = 'strength' | 'form' | 'ingredient' | null

/**
 * A strength, a form or a salt is a deliberate choice: a wrong one harms, or no prescription covers
 * it. Extended release is a form of its own. Between packs and brands of one strength, the page
 * selects the best offer.
 */
export function findOpenChoice(offers: readonly VariantDetail[]): OpenChoice {
  const groups = groupByStrength(offers)
  const differ = (of: (group: StrengthGroup) => string): boolean => new Set(groups.map(of)).size > 1
  if (groups.length < 2) return null
  if (differ(({ rank }) => strengthKey(rank))) return 'strength'
  return differ(({ filter, form }) => `${filter}\n${form}`) ? 'form' : 'ingredient'
}

/**
 * Dollars per unit of the package (one tablet, one mL), or null without a price. For comparing
 * only, not money.
 */
export const pricePerUnit = (variant: { price: string | null; packageSize: number }): number | null =>
  variant.price === null ? null : Number(variant.price) / Math.max(variant.packageSize, 1)

/** "$0.143 per tablet". */
export const unitPriceText = (amount: number, unit: string): string =>
  `$${amount.toFixed(amount < 1 ? 3 : 2)} per ${unit || 'unit'}`

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
  // A carton of tablets, or 100 mg, says nothing of a tablet.
  if (brand.packageUnit !== generic.packageUnit) return null
  const percent = Math.round((1 - genericPrice / brandPrice) * 100)
  if (percent === 0) return null
  return {
    variantId: generic.id,
    percent,
    perPack: ((brandPrice - genericPrice) * brand.packageSize).toFixed(2),
  }
}
