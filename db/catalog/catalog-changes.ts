import type { Fields } from '#domain/catalog/catalog-history.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import type { CatalogChangesTable } from '../schema/back-office.ts'
import { parseFields } from './json-columns.ts'

/** A change of a product or a variant, with the changed fields before and after. */
export type StoredChange = Omit<CatalogChangesTable, 'beforeFields' | 'afterFields'> & {
  before: Fields | null
  after: Fields | null
}

/** Records changes of products and variants. */
export async function insertCatalogChanges(db: Db, changes: readonly StoredChange[]): Promise<void> {
  if (changes.length === 0) return
  const list = jsonRows(
    db,
    changes.map((change) => ({
      id: change.id,
      product_id: change.productId,
      variant_id: change.variantId,
      actor_id: change.actorId,
      action: change.action,
      before_fields: change.before && JSON.stringify(change.before),
      after_fields: change.after && JSON.stringify(change.after),
      at: change.at,
    })),
    {
      id: 'text',
      product_id: 'text',
      variant_id: 'text',
      actor_id: 'text',
      action: 'text',
      before_fields: 'text',
      after_fields: 'text',
      at: 'timestamptz',
    },
  )
  await sql`insert into catalog_changes (id, product_id, variant_id, actor_id, action, before_fields, after_fields, at)
    select r.id, r.product_id, r.variant_id, r.actor_id, r.action, r.before_fields, r.after_fields, r.at
    from ${list} where true`.execute(db)
}

/**
 * The newest changes of a variant, or of a product and all its variants, with the sealed names of
 * the admins.
 */
export async function listCatalogChangeRows(
  db: Db,
  { productId, variantId, limit }: { productId: string; variantId: string | null; limit: number },
) {
  const rows = await db
    .selectFrom('catalogChanges as change')
    .leftJoin('users', 'users.id', 'change.actorId')
    .leftJoin('userKeys', 'userKeys.userId', 'users.id')
    .leftJoin('productVariants as variant', 'variant.id', 'change.variantId')
    .selectAll('change')
    .select([
      'users.sealedName',
      'users.sealedEmail',
      'userKeys.wrappedKey',
      'variant.brandName',
      'variant.strength',
      'variant.strengthUnit',
      'variant.packageSize',
      'variant.packageUnit',
      'variant.dosageForm',
      'variant.labelForm',
    ])
    .$if(variantId === null, (query) => query.where('change.productId', '=', productId))
    .$if(variantId !== null, (query) => query.where('change.variantId', '=', variantId))
    .orderBy('change.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ beforeFields, afterFields, ...row }) => ({
    ...row,
    before: beforeFields === null ? null : parseFields(beforeFields),
    after: afterFields === null ? null : parseFields(afterFields),
  }))
}

export type CatalogChangeRow = Awaited<ReturnType<typeof listCatalogChangeRows>>[number]

/** An edit of a variant, with the former values of the fields that it changed. */
export type VariantEdit = Pick<CatalogChangesTable, 'variantId' | 'at'> & { before: Fields }

/** The edits of these variants after a time, oldest first. */
export async function listVariantEditsAfter(
  db: Db,
  variantIds: readonly string[],
  after: Date,
): Promise<VariantEdit[]> {
  if (variantIds.length === 0) return []
  const rows = await db
    .selectFrom('catalogChanges')
    .select(['variantId', 'at', 'beforeFields'])
    .where(isOneOf(db, 'variant_id', sql`${JSON.stringify(variantIds)}`))
    .where('action', '=', 'updated')
    .where('at', '>', after)
    .orderBy('id')
    .execute()
  return rows.map(({ beforeFields, ...row }) => ({
    ...row,
    before: beforeFields === null ? {} : parseFields(beforeFields),
  }))
}
