import { findPharmacy, type PharmacySummary } from '#db/partners/pharmacies.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { listProductVariants } from '#db/catalog/variants.ts'
import type { ProductCard, VariantDetail } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import {
  initialVariantCount,
  narrowVariants,
  computeSaving,
  sortByOffer,
  type FacetOptions,
  type Saving,
  type VariantChoice,
} from '#domain/catalog/variant-choice.ts'
import type { Context } from '#server/context.ts'

/** Upper bound of the list: a page of a thousand radio buttons is unusable. */
const maxListed = 240

export type ProductPage = {
  product: ProductCard & { ingredients: string | null }
  pharmacy: PharmacySummary | null
  /** The listed variants that match the filters, 24 at first. */
  variants: VariantDetail[]
  /** The number of matching variants that are not listed. */
  unlisted: number
  total: number
  /** Every variant, purchasable ones first. `variants` is a subset. */
  all: VariantDetail[]
  facets: FacetOptions[]
  selectedId: string | null
  /** The saving of the generic for each listed brand variant that has one. */
  savings: Record<string, Saving>
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
  const product = isId(id) ? await findProductCard(ctx.db, id) : null
  if (!product) throw new AppError('NOT_FOUND', 'Product not found')
  const all = sortByOffer(await listProductVariants(ctx.db, id))
  const pharmacy = product.pharmacyId ? await findPharmacy(ctx.db, product.pharmacyId) : null

  const { facets, matching } = narrowVariants(all, choice)
  const preselected = all.find((variant) => variant.id === variantId)
  const listed = matching.slice(0, Math.min(shown, maxListed))
  if (preselected && !listed.includes(preselected)) listed.unshift(preselected)
  const unlisted = matching.filter((variant) => !listed.includes(variant)).length

  const byId = new Map(all.map((variant) => [variant.id, variant]))
  const savings: Record<string, Saving> = {}
  for (const variant of listed) {
    const saving = variant.linkedVariantId ? computeSaving(variant, byId.get(variant.linkedVariantId)) : null
    if (saving) savings[variant.id] = saving
  }
  return {
    product,
    pharmacy,
    variants: listed,
    unlisted,
    total: all.length,
    all,
    facets,
    selectedId: (preselected ?? matching[0] ?? listed[0])?.id ?? null,
    savings,
  }
}
