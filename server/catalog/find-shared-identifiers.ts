import { findCurrentVariants, findVariantIdsByCodes } from '#db/catalog/variant-lookup.ts'
import { findVariantLabels } from '#db/catalog/variants.ts'
import { describeSharedIdentifier } from '#domain/catalog/identifier-warnings.ts'
import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

/** By field, which other variant has the identifier. */
export type SharedIdentifiers = Partial<Record<'upc' | 'ndc' | 'din', string>>

/**
 * Which of these identifiers another variant has, in any written form. Only a warning: the back
 * office stores what is printed (docs/decisions/0019-back-office.md). Throws UNAUTHENTICATED,
 * FORBIDDEN.
 * @param id of the variant that has them; null for a new one
 */
export async function findSharedIdentifiers(
  ctx: Context,
  { id, ...identifiers }: { id: string | null; upc: string; ndc: string; din: string },
): Promise<SharedIdentifiers> {
  requirePermission(ctx, 'catalog.write')
  const matches = await findVariantIdsByCodes(ctx.db, listIdentifiers(identifiers))
  const others = matches.filter((match) => match.id !== id).toSorted((a, b) => a.id.localeCompare(b.id))
  const ids = others.map((match) => match.id)
  const labels = await findVariantLabels(ctx.db, ids)
  const names = new Map((await findCurrentVariants(ctx.db, ids)).map((row) => [row.id, row.productName]))
  const shared: SharedIdentifiers = {}
  for (const match of others) {
    const kind = match.kind === 'din' || match.kind === 'upc' ? match.kind : 'ndc'
    shared[kind] ??= describeSharedIdentifier(
      kind,
      `${names.get(match.id) ?? ''} (${labels.get(match.id) ?? ''})`,
    )
  }
  return shared
}
