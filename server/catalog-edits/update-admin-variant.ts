import { findCurrentVariants } from '#db/catalog/variant-lookup.ts'
import {
  changedIdentity,
  changedPackageFacts,
  describeChangedPackage,
  describeUses,
  mayBeWithCustomers,
} from '#domain/catalog/edit-questions.ts'
import type { VariantChanges } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { updateVariant } from '../catalog/update-variant.ts'
import type { Context } from '../context.ts'
import { mayHaveShipped } from '../orders/may-have-shipped.ts'
import { requirePermission } from '../require-user.ts'
import { findVariantUses } from './find-variant-uses.ts'

/**
 * Updates a variant in the back office's grid. Throws like `updateVariant`, and
 * CONFIRMATION_REQUIRED when the edit changes what a package is while the shop has packages or
 * unshipped orders of it, or what identifies it while a recall would notify its buyers.
 */
export async function updateAdminVariant(
  ctx: Context,
  {
    id,
    version,
    confirmed,
    ...changes
  }: VariantChanges & { id: string; version: number; confirmed: boolean },
): Promise<VariantRow> {
  requirePermission(ctx, 'catalog.write')
  // Before the edit's transaction, because it decrypts the open orders.
  if (!confirmed) await requireSamePackage(ctx, { id, version, changes })
  return updateVariant(ctx, id, changes, version)
}

/**
 * The edit itself reports a missing variant and a stale version. Every sale changes the version,
 * and the form then sends the edit again, so asking first would ask twice.
 */
async function requireSamePackage(
  ctx: Context,
  { id, version, changes }: { id: string; version: number; changes: VariantChanges },
): Promise<void> {
  const [before] = isId(id) ? await findCurrentVariants(ctx.db, [id]) : []
  if (before?.version !== version) return
  const facts = changedPackageFacts(before, changes)
  const identity = changedIdentity(before, changes)
  if (facts.length + identity.length === 0) return
  const uses =
    describeUses(await findVariantUses(ctx, [before])) ??
    // A recall finds a shipped order by the current codes of its variants.
    (identity.length > 0 && (await mayHaveShipped(ctx, id)) ? mayBeWithCustomers : null)
  if (uses !== null)
    throw new AppError('CONFIRMATION_REQUIRED', describeChangedPackage(facts, identity, uses))
}
