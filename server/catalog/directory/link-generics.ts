import { parseRelease } from './release.ts'

/** What determines the generic for a brand variant. */
export type LinkableVariant = {
  id: string
  /** Null for variants that an admin created, which only an admin links. */
  catalogKey: string | null
  brandName: string | null
  strength: string
  strengthUnit: string
  dosageForm: string | null
  packageSize: number
  packageUnit: string
  /** The directory's own form, which states the release. */
  labelForm: string | null
  linkedVariantId: string | null
}

/** What a brand and its generic equivalent have in common. */
export const equivalenceKey = (
  variant: Pick<LinkableVariant, 'strength' | 'strengthUnit' | 'dosageForm' | 'labelForm'>,
): string =>
  [
    variant.strength,
    variant.strengthUnit,
    variant.dosageForm ?? '',
    parseRelease(variant.labelForm ?? ''),
  ].join('|')

/** The nearest package: same unit first, then size, then directory order. */
function findNearestPackage(
  brand: LinkableVariant,
  generics: readonly LinkableVariant[],
): LinkableVariant | undefined {
  let best: LinkableVariant | undefined
  let bestDistance = Infinity
  for (const generic of generics) {
    const unitPenalty = generic.packageUnit === brand.packageUnit ? 0 : 2 ** 40
    const distance = unitPenalty + Math.abs(generic.packageSize - brand.packageSize)
    if (distance < bestDistance) {
      best = generic
      bestDistance = distance
    }
  }
  return best
}

/**
 * Links each unlinked brand variant of a product to a generic of the same strength, form and
 * release. An existing link to a variant of this product stays, because an admin may have chosen
 * it.
 * @param variants the product's live variants, sorted by key
 * @returns the links that change
 */
export function linkToGenerics(
  variants: readonly LinkableVariant[],
): { id: string; linkedVariantId: string | null }[] {
  const generics = new Map<string, LinkableVariant[]>()
  const ids = new Set<string>()
  for (const variant of variants) {
    ids.add(variant.id)
    // Without a strength, two variants cannot be compared.
    if (variant.brandName !== null || variant.strength === '') continue
    const key = equivalenceKey(variant)
    const group = generics.get(key)
    if (group) group.push(variant)
    else generics.set(key, [variant])
  }
  const links: { id: string; linkedVariantId: string | null }[] = []
  const found = new Map<string, string | null>()
  for (const variant of variants) {
    const isLinked = variant.linkedVariantId !== null && ids.has(variant.linkedVariantId)
    if (isLinked || variant.catalogKey === null) continue
    let linkedVariantId: string | null = null
    if (variant.brandName !== null) {
      const equivalence = equivalenceKey(variant)
      const packKey = `${equivalence}|${variant.packageSize}|${variant.packageUnit}`
      linkedVariantId =
        found.get(packKey) ?? findNearestPackage(variant, generics.get(equivalence) ?? [])?.id ?? null
      found.set(packKey, linkedVariantId)
    }
    if (linkedVariantId !== variant.linkedVariantId) links.push({ id: variant.id, linkedVariantId })
  }
  return links
}
