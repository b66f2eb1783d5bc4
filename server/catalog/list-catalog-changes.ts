import { listCatalogChangeRows, type CatalogChangeRow } from '#db/catalog/catalog-changes.ts'
import { findManufacturerNames } from '#db/catalog/manufacturers.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { findVariantLabels } from '#db/catalog/variants.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import type { CatalogChange, Fields, FieldValue } from '#domain/catalog/catalog-history.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireAdmin } from '../require-user.ts'
import { readNameOrEmail } from '../accounts/person-reader.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'

/** So many of the newest are shown. */
const mostShown = 200

/**
 * The newest changes of a product with its variants, or of one variant: who, when, before, after. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND for what is no id.
 */
export async function listCatalogChanges(
  ctx: Context,
  { productId, variantId }: { productId: string; variantId: string | null },
): Promise<CatalogChange[]> {
  requireAdmin(ctx)
  if (!isId(productId) || (variantId !== null && !isId(variantId))) throw new AppError('NOT_FOUND')
  const rows = await listCatalogChangeRows(ctx.db, { productId, variantId, limit: mostShown })
  const read = rows.map((row) => ({
    row,
    before: fieldsOf(row.beforeFields),
    after: fieldsOf(row.afterFields),
  }))
  const named = (name: string): string[] =>
    read
      .flatMap(({ before, after }) => [before?.[name], after?.[name]])
      .filter((value) => typeof value === 'string')
  const [makers, products, variants] = await Promise.all([
    findManufacturerNames(ctx.db, named('manufacturerId')),
    findProductNames(ctx.db, named('productId')),
    findVariantLabels(ctx.db, named('linkedVariantId')),
  ])
  const references: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    manufacturerId: makers,
    productId: products,
    linkedVariantId: variants,
  }
  const shown = (name: string, value: FieldValue | undefined): FieldValue =>
    typeof value === 'string' ? (references[name]?.get(value) ?? value) : (value ?? null)
  return read.map(({ row, before, after }) => ({
    id: row.id,
    at: row.at.toISOString(),
    by: actorOf(ctx, row),
    action: row.action,
    variant: variantOf(row),
    fields: Object.keys({ ...before, ...after })
      .map((name) => ({ name, before: shown(name, before?.[name]), after: shown(name, after?.[name]) }))
      .filter(({ before, after }) => before !== after),
  }))
}

/** We wrote it. */
const fieldsOf = (json: string | null): Fields | null => (json === null ? null : (JSON.parse(json) as Fields))

const variantOf = ({ variantId, ...row }: CatalogChangeRow): string | null =>
  variantId === null || row.strength === null || row.packageSize === null
    ? null
    : variantLabel({
        brandName: row.brandName,
        strength: row.strength,
        strengthUnit: row.strengthUnit ?? '',
        packageSize: row.packageSize,
        packageUnit: row.packageUnit ?? '',
      })

/** The admin's name, else their address: colleagues know each other by it. */
function actorOf(
  ctx: Pick<Context, 'keys'>,
  { actorId, sealedName, sealedEmail, wrappedKey }: CatalogChangeRow,
): string | null {
  if (actorId === null || sealedName === null || sealedEmail === null || wrappedKey === null) return null
  return readNameOrEmail(unwrapUserKey(ctx, actorId, wrappedKey), { id: actorId, sealedName, sealedEmail })
}
