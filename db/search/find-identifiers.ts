import type { IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { prepared, type Db, type Params } from '../engine/client.ts'

/** A variant that carries the code. */
export type IdentifiedVariant = {
  code: string
  kind: string
  variantId: string
  productId: string
  manufacturerId: string | null
  ndc: string | null
  din: string | null
  upc: string | null
}

/** A product's NDC has at most a hundred packages; nothing that people write fits more variants than this. */
const mostVariants = 500

/** The code itself when `until` is the code, else all codes from it up to `until`. */
const variantsByCode = prepared(
  (db, p: Params<{ kind: string; code: string; until: string; limit: number }>) =>
    db
      .selectFrom('variantIdentifiers as named')
      .innerJoin('productVariants as variant', 'variant.id', 'named.variantId')
      .select([
        'named.code',
        'named.kind',
        'named.variantId',
        'variant.productId',
        'variant.manufacturerId',
        'variant.ndc',
        'variant.din',
        'variant.upc',
      ])
      .where('named.code', '>=', p.code)
      .where('named.code', '<=', p.until)
      .where('named.kind', '=', p.kind as never)
      .where('variant.deletedAt', 'is', null)
      .orderBy('named.code')
      .orderBy('named.variantId')
      .limit(p.limit),
)

/** The variants of the first step that finds any, in the order of their codes. */
export async function findIdentified(
  db: Db,
  steps: readonly (readonly IdentifierLookup[])[],
  limit = mostVariants,
): Promise<IdentifiedVariant[]> {
  for (const step of steps) {
    const found = await Promise.all(
      step.map(({ kind, code, prefix }) =>
        variantsByCode(db, { kind, code, until: prefix ? `${code}~` : code, limit }),
      ),
    )
    const variants = new Map(found.flat().map((variant) => [variant.variantId, variant]))
    if (variants.size > 0) return [...variants.values()]
  }
  return []
}

/** The code as one shows it: "NDC 0228-2899-96". */
export function identifierLabel({ kind, code, ndc, din, upc }: IdentifiedVariant): string {
  if (kind === 'din') return `DIN ${din ?? code}`
  if (kind === 'upc') return `UPC ${upc ?? code}`
  return `NDC ${ndc ?? code}`
}
