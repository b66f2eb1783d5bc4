import type { IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'

/** A variant with the identifier by which it was found. */
export type IdentifiedVariant = {
  value: string
  kind: string
  variantId: string
  productId: string
  manufacturerId: string | null
  ndc: string | null
  din: string | null
  upc: string | null
}

/**
 * A product's NDC has at most a hundred packages, so no identifier matches more variants than this.
 */
const maxVariants = 500

/** The identifier itself when `until` equals it, else every identifier from it up to `until`. */
const variantsByIdentifier = prepareQuery(
  (db, p: Params<{ kind: string; value: string; until: string; limit: number }>) =>
    db
      .selectFrom('variantIdentifiers as named')
      .innerJoin('productVariants as variant', 'variant.id', 'named.variantId')
      .select([
        'named.value',
        'named.kind',
        'named.variantId',
        'variant.productId',
        'variant.manufacturerId',
        'variant.ndc',
        'variant.din',
        'variant.upc',
      ])
      .where('named.value', '>=', p.value)
      .where('named.value', '<=', p.until)
      .where('named.kind', '=', p.kind as never)
      .where('variant.deletedAt', 'is', null)
      .orderBy('named.value')
      .orderBy('named.variantId')
      .limit(p.limit),
)

/** The variants of the first step with any match, ordered by identifier. */
export async function findVariantsByIdentifier(
  db: Db,
  steps: readonly (readonly IdentifierLookup[])[],
  limit = maxVariants,
): Promise<IdentifiedVariant[]> {
  for (const step of steps) {
    const found = await Promise.all(
      step.map(({ kind, value, prefix }) =>
        variantsByIdentifier(db, { kind, value, until: prefix ? `${value}~` : value, limit }),
      ),
    )
    const variants = new Map(found.flat().map((variant) => [variant.variantId, variant]))
    if (variants.size > 0) return [...variants.values()]
  }
  return []
}
