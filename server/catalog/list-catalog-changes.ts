import { listCatalogChangeRows, type CatalogChangeRow } from '#db/catalog/catalog-changes.ts'
import { findManufacturerNames } from '#db/catalog/manufacturers.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { findVariantLabels } from '#db/catalog/variants.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import type { CatalogChange, FieldValue } from '#domain/catalog/catalog-history.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requirePermission } from '../require-user.ts'
import { readNameOrEmail } from '../accounts/person-reader.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'

/** The number of most recent changes listed. */
const maxChanges = 200

/**
 * The newest changes of a product with its variants, or of one variant. Throws UNAUTHENTICATED,
 * FORBIDDEN, and NOT_FOUND for a malformed id.
 */
export async function listCatalogChanges(
  ctx: Context,
  { productId, variantId }: { productId: string; variantId: string | null },
): Promise<CatalogChange[]> {
  requirePermission(ctx, 'catalog.write')
  if (!isId(productId) || (variantId !== null && !isId(variantId))) throw new AppError('NOT_FOUND')
  const changes = await listCatalogChangeRows(ctx.db, { productId, variantId, limit: maxChanges })
  const listReferences = (name: string): string[] =>
    changes
      .flatMap(({ before, after }) => [before?.[name], after?.[name]])
      .filter((value) => typeof value === 'string')
  const [manufacturers, products, variants] = await Promise.all([
    findManufacturerNames(ctx.db, listReferences('manufacturerId')),
    findProductNames(ctx.db, listReferences('productId')),
    findVariantLabels(ctx.db, listReferences('linkedVariantId')),
  ])
  const references: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    manufacturerId: manufacturers,
    productId: products,
    linkedVariantId: variants,
  }
  const displayValue = (name: string, value: FieldValue | undefined): FieldValue =>
    typeof value === 'string' ? (references[name]?.get(value) ?? value) : (value ?? null)
  return changes.map(({ before, after, ...row }) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: actorName(ctx, row),
    action: row.action,
    variant: toVariantLabel(row),
    fields: Object.keys({ ...before, ...after })
      .map((name) => ({
        name,
        before: displayValue(name, before?.[name]),
        after: displayValue(name, after?.[name]),
      }))
      .filter(({ before, after }) => before !== after),
  }))
}

const toVariantLabel = ({ variantId, ...row }: Change): string | null =>
  variantId === null || row.strength === null || row.packageSize === null
    ? null
    : labelOfRow({
        brandName: row.brandName,
        strength: row.strength,
        strengthUnit: row.strengthUnit ?? '',
        packageSize: row.packageSize,
        packageUnit: row.packageUnit ?? '',
        dosageForm: row.dosageForm,
        labelForm: row.labelForm,
      })

type Change = Omit<CatalogChangeRow, 'before' | 'after'>

/** The admin's name, or their email address when they have no name. */
function actorName(
  ctx: Pick<Context, 'keys'>,
  { actorId, sealedName, sealedEmail, wrappedKey }: Change,
): string | null {
  if (actorId === null || sealedName === null || sealedEmail === null || wrappedKey === null) return null
  return readNameOrEmail(unwrapUserKey(ctx, actorId, wrappedKey), { id: actorId, sealedName, sealedEmail })
}
