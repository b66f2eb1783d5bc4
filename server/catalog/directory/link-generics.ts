import { releaseOf } from './release.ts'

/** What tells which generic a brand variant stands beside. */
export type LinkableVariant = {
  id: string
  /** Null for variants made by hand, which only an administrator links. */
  catalogKey: string | null
  brandName: string | null
  strength: string
  strengthUnit: string
  dosageForm: string | null
  packageSize: number
  packageUnit: string
  /** The directory's own form, which says how it releases. */
  labelForm: string | null
  linkedVariantId: string | null
}

const sameMedicine = (variant: LinkableVariant): string =>
  [variant.strength, variant.strengthUnit, variant.dosageForm ?? '', releaseOf(variant.labelForm ?? '')].join(
    '|',
  )

/** Nearest pack: the same unit first, then the size, then the directory's order. */
function nearest(brand: LinkableVariant, generics: readonly LinkableVariant[]): LinkableVariant | undefined {
  let best: LinkableVariant | undefined
  let bestDistance = Infinity
  for (const generic of generics) {
    const otherUnit = generic.packageUnit === brand.packageUnit ? 0 : 2 ** 40
    const distance = otherUnit + Math.abs(generic.packageSize - brand.packageSize)
    if (distance < bestDistance) {
      best = generic
      bestDistance = distance
    }
  }
  return best
}

/**
 * Ties each brand variant of one product that has no link to a generic of the same strength, form and release. A link that
 * stands on a generic of this product stays: an administrator may have chosen it.
 * @param variants the product's live variants, in the order of their keys
 * @returns the links that change
 */
export function linkToGenerics(
  variants: readonly LinkableVariant[],
): { id: string; linkedVariantId: string | null }[] {
  const generics = new Map<string, LinkableVariant[]>()
  const ids = new Set<string>()
  for (const variant of variants) {
    ids.add(variant.id)
    // Without a strength nothing tells that two are the same.
    if (variant.brandName !== null || variant.strength === '') continue
    const key = sameMedicine(variant)
    const group = generics.get(key)
    if (group) group.push(variant)
    else generics.set(key, [variant])
  }
  const links: { id: string; linkedVariantId: string | null }[] = []
  const found = new Map<string, string | null>()
  for (const variant of variants) {
    const stands = variant.linkedVariantId !== null && ids.has(variant.linkedVariantId)
    if (stands || variant.catalogKey === null) continue
    let linkedVariantId: string | null = null
    if (variant.brandName !== null) {
      const medicine = sameMedicine(variant)
      const pack = `${medicine}|${variant.packageSize}|${variant.packageUnit}`
      linkedVariantId = found.get(pack) ?? nearest(variant, generics.get(medicine) ?? [])?.id ?? null
      found.set(pack, linkedVariantId)
    }
    if (linkedVariantId !== variant.linkedVariantId) links.push({ id: variant.id, linkedVariantId })
  }
  return links
}
