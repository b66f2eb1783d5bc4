import { findPharmacy, type PharmacySummary } from '#db/partners/pharmacies.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { listProductVariants } from '#db/catalog/variants.ts'
import type { ProductCard, VariantDetail } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import {
  listedVariants,
  narrowVariants,
  savingOf,
  sortByOffer,
  type FacetOptions,
  type Saving,
  type VariantChoice,
} from '#domain/catalog/variant-choice.ts'
import type { Context } from '#server/context.ts'

/** However many one asks for: a page of a thousand radios serves nobody. */
const mostListed = 240

export type ProductView = {
  product: ProductCard & { ingredients: string | null }
  pharmacy: PharmacySummary | null
  /** The variants to choose from: those that match the narrowing, at first 24 of them. */
  variants: VariantDetail[]
  /** How many more match the narrowing. */
  unlisted: number
  total: number
  /** Every variant, what can be bought first; what is listed is some of them. */
  all: VariantDetail[]
  facets: FacetOptions[]
  selectedId: string | null
  /** The generic's saving for each listed brand variant that has one. */
  savings: Record<string, Saving>
}

/**
 * A medicine with the variants to choose from. `variantId` preselects one, which then is always
 * listed; `shown` asks for more of them at once.
 * Throws NOT_FOUND.
 */
export async function viewProduct(
  ctx: Context,
  id: string,
  {
    variantId,
    shown = listedVariants,
    ...choice
  }: VariantChoice & { variantId?: string | undefined; shown?: number | undefined } = {},
): Promise<ProductView> {
  const product = isId(id) ? await findProductCard(ctx.db, id) : null
  if (!product) throw new AppError('NOT_FOUND', 'Product not found')
  const all = sortByOffer(await listProductVariants(ctx.db, id))
  const pharmacy = product.pharmacyId ? await findPharmacy(ctx.db, product.pharmacyId) : null

  const { facets, matching } = narrowVariants(all, choice)
  const asked = all.find((variant) => variant.id === variantId)
  const listed = matching.slice(0, Math.min(shown, mostListed))
  if (asked && !listed.includes(asked)) listed.unshift(asked)
  const unlisted = matching.filter((variant) => !listed.includes(variant)).length

  const byId = new Map(all.map((variant) => [variant.id, variant]))
  const savings: Record<string, Saving> = {}
  for (const variant of listed) {
    const saving = variant.linkedVariantId ? savingOf(variant, byId.get(variant.linkedVariantId)) : null
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
    selectedId: (asked ?? matching[0] ?? listed[0])?.id ?? null,
    savings,
  }
}
