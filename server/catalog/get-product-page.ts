import { findPharmacy, type PharmacySummary } from '#db/partners/pharmacies.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { listProductVariants } from '#db/catalog/variants.ts'
import type { Category, ProductCard, VariantDetail } from '#domain/catalog/catalog.ts'
import { toSentenceCase } from '#domain/catalog/directory-text.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import {
  initialVariantCount,
  narrowVariants,
  computeSaving,
  findOpenChoice,
  listOffers,
  offerHeadings,
  sortByOffer,
  sortByStrength,
  type FacetOptions,
  type ListedOffer,
  type OpenChoice,
  type Saving,
  type VariantChoice,
} from '#domain/catalog/variant-choice.ts'
import {
  listEquivalentOffers,
  mayReplace,
  needsRating,
  type EquivalentOffers,
} from '#domain/screening/equivalent-offers.ts'
import type { Context } from '#server/context.ts'
import { rateVariants } from '#server/screening/rate-variants.ts'

/** Upper bound of the list: a page of a thousand radio buttons is unusable. */
const maxListed = 240

export type ProductPage = {
  product: ProductCard & { ingredients: string | null }
  pharmacy: PharmacySummary | null
  /** The listed variants that match the filters, 24 at first. */
  variants: ListedOffer[]
  /** The number of matching variants that are not listed. */
  unlisted: number
  total: number
  /** Every variant, purchasable ones first. `variants` is a subset. */
  all: VariantDetail[]
  facets: FacetOptions[]
  /** What the matching variants differ in that the customer must choose. */
  openChoice: OpenChoice
  /** Null while that choice is open and no link names a variant. */
  selectedId: string | null
  /** The saving of the generic for each listed brand variant that it may replace. */
  savings: Record<string, Saving>
  /** What FDA rates as equivalent, the selected variant's group first. Null when nothing is. */
  equivalents: { groups: EquivalentOffers[]; listDate: string | null } | null
}

/**
 * A product with the variants to choose from. `variantId` preselects a variant, which is then
 * always listed. `shown` sets how many are listed. Throws NOT_FOUND.
 */
export async function getProductPage(
  ctx: Context,
  id: string,
  {
    variantId,
    shown = initialVariantCount,
    ...choice
  }: VariantChoice & { variantId?: string | undefined; shown?: number | undefined } = {},
): Promise<ProductPage> {
  const product = isId(id) ? await findProductCard(ctx.reads, id) : null
  if (!product) throw new AppError('NOT_FOUND', 'Product not found')
  const { variants, applications } = await listProductVariants(ctx.reads, id)
  const all = sortByOffer(variants)
  const pharmacy = product.pharmacyId ? await findPharmacy(ctx.reads, product.pharmacyId) : null

  const { facets, matching } = narrowVariants(all, choice)
  const preselected = all.find((variant) => variant.id === variantId)
  const firstOffers = listOffers(matching, Math.min(shown, maxListed))
  const listed =
    preselected && !firstOffers.includes(preselected)
      ? sortByStrength([preselected, ...firstOffers])
      : firstOffers
  const unlisted = matching.filter((variant) => !listed.includes(variant)).length

  const headingOf = offerHeadings(all)
  const openChoice = findOpenChoice(matching)
  const selectedId = (preselected ?? (openChoice ? null : matching[0]))?.id ?? null
  const pairs = listPairs(listed, all)
  const compared = product.controlledSchedule
    ? []
    : listCompared({ all, listed, applications, isSelected: selectedId !== null })
  const { ratings, listDate } = await rateVariants(
    { ...ctx, db: ctx.reads },
    [...new Set([...compared, ...listRatedPairs(product.category, pairs)])],
    applications,
  )
  const groups = listEquivalentOffers(compared, { ratings, applications }, selectedId)
  const savings: Record<string, Saving> = {}
  for (const pair of pairs) {
    const saving = mayReplace(product.category, pair, ratings)
      ? computeSaving(pair.brand, pair.generic)
      : null
    if (saving) savings[pair.brand.id] = saving
  }
  return {
    product,
    pharmacy,
    variants: listed.map((variant) => ({ ...withReadableLabels(variant), heading: headingOf(variant) })),
    unlisted,
    total: all.length,
    all,
    facets,
    openChoice,
    selectedId,
    savings,
    equivalents: groups.length > 0 ? { groups, listDate } : null,
  }
}

/** The label's own words, without a directory's capitals. */
const withReadableLabels = (variant: VariantDetail): VariantDetail => ({
  ...variant,
  labelStrength: variant.labelStrength && toSentenceCase(variant.labelStrength),
  labelForm: variant.labelForm && toSentenceCase(variant.labelForm),
  labelPack: variant.labelPack && toSentenceCase(variant.labelPack),
})

type Pair = { brand: VariantDetail; generic: VariantDetail }

/** Each listed brand variant that is linked to a generic, with that. */
function listPairs(listed: readonly VariantDetail[], all: readonly VariantDetail[]): Pair[] {
  const byId = new Map(all.map((variant) => [variant.id, variant]))
  return listed.flatMap((brand) => {
    const generic = brand.linkedVariantId === null ? undefined : byId.get(brand.linkedVariantId)
    return generic ? [{ brand, generic }] : []
  })
}

/** The variants of the pairs whose ratings decide. */
const listRatedPairs = (category: Category, pairs: readonly Pair[]): VariantDetail[] =>
  pairs.flatMap(({ brand, generic }) => (needsRating(category, brand) ? [brand, generic] : []))

/**
 * What may be shown as equivalent: US packages of the strengths that the page lists, in stock or
 * listed themselves. Empty when all are of one application, so the page reads no ratings for them.
 */
function listCompared({
  all,
  listed,
  applications,
  isSelected,
}: {
  all: readonly VariantDetail[]
  listed: readonly VariantDetail[]
  applications: ReadonlyMap<string, string>
  isSelected: boolean
}): VariantDetail[] {
  const strengthOf = ({ strength, strengthUnit }: VariantDetail): string => `${strength} ${strengthUnit}`
  const strengths = new Set(listed.map(strengthOf))
  const listedIds = new Set(listed.map(({ id }) => id))
  const compared = (isSelected ? all : sortByStrength(all)).filter(
    (variant) =>
      applications.has(variant.id) &&
      (variant.inStock || listedIds.has(variant.id)) &&
      strengths.has(strengthOf(variant)),
  )
  return new Set(compared.map(({ id }) => applications.get(id))).size > 1 ? compared : []
}
