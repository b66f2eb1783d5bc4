import { strengthLabel, type Category, type Variant, type VariantDetail } from '../catalog/catalog.ts'
import { computeSaving, pricePerUnit, type Saving } from '../catalog/variant-choice.ts'
import type { Rating } from './equivalents.ts'

/** What of a variant decides whether it is compared, and at which price. */
export type OfferedVariant = Pick<
  Variant,
  | 'id'
  | 'productId'
  | 'brandName'
  | 'manufacturerId'
  | 'dosageForm'
  | 'strength'
  | 'strengthUnit'
  | 'packageSize'
  | 'packageUnit'
  | 'price'
  | 'inStock'
>

/** By variant: the rating, and the FDA application. */
type Rated = { ratings: ReadonlyMap<string, Rating>; applications: ReadonlyMap<string, string> }

/** What can be bought of medicines that FDA rates as equivalent. */
export type EquivalentOffers = {
  /** "AB". */
  code: string
  /** "50 mg tablet, extended release". */
  name: string
  /** The variants, also out of stock, that one of the offers is an equivalent of. */
  ids: readonly string[]
  /** The best package of each brand and manufacturer, cheapest per unit first. Never empty. */
  offers: readonly VariantDetail[]
  /** Whether the offers are of more than one application. */
  isChoice: boolean
  /** What the first offer saves, and against which variant. Null when it saves nothing. */
  saving: (Saving & { against: VariantDetail }) | null
}

const isOffered = ({ price, inStock }: OfferedVariant): boolean =>
  inStock && price !== null && Number(price) > 0

/**
 * Variants are compared when they have the same ingredients, form, route and strength in the
 * catalog too, and are priced by the same unit. Ingredients and route are the product's.
 */
export const comparisonKey = (
  variant: Pick<OfferedVariant, 'productId' | 'dosageForm' | 'strength' | 'strengthUnit' | 'packageUnit'>,
  { group }: Rating,
): string =>
  [group, variant.productId, variant.dosageForm, strengthLabel(variant), variant.packageUnit].join('\n')

/**
 * FDA's list is about prescription packages of the US: there, a brand and its generic need the same
 * rating. Elsewhere the link decides.
 */
export const needsRating = (category: Category, brand: Variant): boolean =>
  category === 'Rx' && brand.ndc !== null

/** Whether a generic may be offered instead of the brand that links to it. */
export function mayReplace(
  category: Category,
  { brand, generic }: { brand: Variant; generic: Variant },
  ratings: Rated['ratings'],
): boolean {
  if (!needsRating(category, brand)) return true
  const [own, other] = [ratings.get(brand.id), ratings.get(generic.id)]
  return (
    own !== undefined && other !== undefined && comparisonKey(brand, own) === comparisonKey(generic, other)
  )
}

/**
 * The offers of each group of equivalents with products of more than one application, one of them
 * in stock. The selected variant's group is first, then those with offers of several applications.
 * A package of the same application is the same product, so it is no equivalent of its own.
 */
export function listEquivalentOffers(
  variants: readonly VariantDetail[],
  { ratings, applications }: Rated,
  selectedId: string | null,
): EquivalentOffers[] {
  const groups = new Map<string, { rating: Rating; members: VariantDetail[] }>()
  for (const variant of variants) {
    const rating = ratings.get(variant.id)
    if (!rating) continue
    const key = comparisonKey(variant, rating)
    const group = groups.get(key)
    if (group) group.members.push(variant)
    else groups.set(key, { rating, members: [variant] })
  }
  const isSelected = ({ id }: VariantDetail): boolean => id === selectedId
  const rankOf = ({ ids, isChoice }: EquivalentOffers): number =>
    ids.some((id) => id === selectedId) ? 2 : Number(isChoice)
  return [...groups.values()]
    .flatMap(({ rating: { code, form }, members }) => {
      const offers = bestOffers(members.filter(isOffered), applications)
      const offered = new Set(offers.map(({ id }) => applications.get(id)))
      const isChoice = offered.size > 1
      // With one application on offer, only packages of others have an equivalent.
      const ids = members.flatMap(({ id }) => (isChoice || !offered.has(applications.get(id)) ? id : []))
      const [cheapest] = offers
      if (!cheapest || ids.length === 0) return []
      const name = [strengthLabel(cheapest), form].filter(Boolean).join(' ')
      // A customer who chose the cheapest reads what that saves.
      const [saving = null] = [members.find(isSelected), offers.at(-1)].flatMap((against) => {
        // Another pack of the same product is no equivalent that saves.
        const found = against && ids.includes(against.id) && computeSaving(against, cheapest)
        return found ? [{ ...found, against }] : []
      })
      return [{ code, name, ids, offers, isChoice, saving }]
    })
    .toSorted((a, b) => rankOf(b) - rankOf(a))
}

/** What is in stock instead of a variant, also packages of its own application, cheapest first. */
export function listOffersInstead<V extends OfferedVariant>(
  variants: readonly V[],
  { ratings, applications }: Rated,
  variantId: string,
): V[] {
  const keyOf = (variant: V): string | null => {
    const rating = ratings.get(variant.id)
    return rating ? comparisonKey(variant, rating) : null
  }
  const own = variants.find(({ id }) => id === variantId)
  const key = own ? keyOf(own) : null
  if (key === null) return []
  const others = variants.filter(
    (variant) => variant.id !== variantId && isOffered(variant) && keyOf(variant) === key,
  )
  return bestOffers(others, applications)
}

/** The cheapest package per unit of each brand and manufacturer, cheapest first. */
function bestOffers<V extends OfferedVariant>(
  members: readonly V[],
  applications: Rated['applications'],
): V[] {
  const best = new Map<string, V>()
  for (const variant of members.toSorted(byUnitPrice)) {
    const key = `${variant.brandName}\n${variant.manufacturerId}\n${applications.get(variant.id)}`
    if (!best.has(key)) best.set(key, variant)
  }
  return [...best.values()]
}

const byUnitPrice = (a: OfferedVariant, b: OfferedVariant): number =>
  (pricePerUnit(a) ?? 0) - (pricePerUnit(b) ?? 0) || a.packageSize - b.packageSize || (a.id < b.id ? -1 : 1)
