import { findVariantRow } from '#db/catalog/variant-rows.ts'
import { listAcquisitionCosts } from '#db/catalog/variants.ts'
import { can } from '#domain/accounts/permissions.ts'
import type { Variant } from '#domain/catalog/catalog.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { Context } from '../context.ts'

/** A variant with its acquisition cost, in US dollars with two decimals. */
export type AdminVariant = Variant & { acquisitionCost: string | null }

/** Adds the acquisition costs if the user may see them. */
export async function withCosts<V extends Variant>(
  ctx: Pick<Context, 'reads' | 'user'>,
  variants: readonly V[],
): Promise<(V | (V & AdminVariant))[]> {
  return can(ctx.user, 'costs.read') ? addCosts(ctx, variants) : [...variants]
}

/** Adds the acquisition costs. */
export async function addCosts<V extends Variant>(
  ctx: Pick<Context, 'reads'>,
  variants: readonly V[],
): Promise<(V & AdminVariant)[]> {
  const costs = await listAcquisitionCosts(
    ctx.reads,
    variants.map(({ id }) => id),
  )
  return variants.map((variant) => {
    const cents = costs.get(variant.id) ?? null
    return { ...variant, acquisitionCost: cents === null ? null : decimalFromCents(cents) }
  })
}

/** A variant as the back office's grid shows it. Throws NOT_FOUND. */
export async function requireVariantRow(ctx: Pick<Context, 'db'>, id: string): Promise<VariantRow> {
  const row = await findVariantRow(ctx.db, id)
  if (!row) throw new AppError('NOT_FOUND', 'Variant not found')
  return row
}

/**
 * What /api returns of a grid row to a user or API key that changes it: a variant, and its
 * acquisition cost only for those who may see costs.
 */
export function toVariantReply({ user }: Pick<Context, 'user'>, row: VariantRow): Variant | AdminVariant {
  const {
    productName: _productName,
    category: _category,
    controlledSchedule: _controlledSchedule,
    manufacturerName: _manufacturerName,
    linkedVariant: _linkedVariant,
    version: _version,
    acquisitionCost,
    ...variant
  } = row
  return can(user, 'costs.read') ? { ...variant, acquisitionCost } : variant
}
