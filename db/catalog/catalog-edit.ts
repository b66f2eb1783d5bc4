import { sql, type Insertable, type Updateable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { lockVariantsOf } from '../inventory/lock-variants.ts'
import type { Schema } from '../schema/schema.ts'

/** Catalog writes by admins. Callers refresh the summaries and the search. */

export async function insertProduct(db: Db, product: Insertable<Schema['products']>): Promise<void> {
  await db.insertInto('products').values(product).execute()
}

/** Updates a product. Returns false when it does not exist. */
export async function updateProductRow(
  db: Db,
  { id, now, ...changes }: Updateable<Schema['products']> & { id: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set(({ eb }) => ({ ...changes, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes the schedules of products, where they differ. Locks those products, ordered by id. */
export async function setSchedules(
  db: Db,
  products: readonly { id: string; schedule: string | null }[],
): Promise<void> {
  if (products.length === 0) return
  const rows = jsonRows(db, products, { id: 'text', schedule: 'text' })
  const { rows: differing } = await sql<{ id: string }>`select products.id from products, ${rows}
    where products.id = r.id and products.controlled_schedule is distinct from r.schedule`.execute(db)
  if (differing.length === 0) return
  await lockProducts(
    db,
    differing.map(({ id }) => id),
  )
  await sql`update products set controlled_schedule = r.schedule, version = version + 1 from ${rows}
    where products.id = r.id and products.controlled_schedule is distinct from r.schedule`.execute(db)
}

/**
 * Renames the generic name of variants that admins created and that carry the product's name,
 * before the product gets its new one.
 */
export async function renameGenerics(
  db: Db,
  { productId, to, now }: { productId: string; to: string; now: Date },
): Promise<void> {
  // A concurrent rename that committed first has changed both.
  await lockVariantsOf(db, [productId])
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ genericName: to, version: eb('version', '+', 1), updatedAt: now }))
    .where('productId', '=', productId)
    .where('genericName', '=', (eb) =>
      eb.selectFrom('products').select('name').where('id', '=', productId).where('name', '<>', to),
    )
    .where('catalogKey', 'is', null)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Locks these products for this transaction, ordered by id. Returns the live ones. */
export async function lockProducts(db: Db, ids: readonly string[]) {
  let query = db
    .selectFrom('products')
    .select(['id', 'name', 'ingredients', 'catalogKey'])
    .where('id', 'in', [...ids])
    .where('deletedAt', 'is', null)
    .orderBy('id')
  // SQLite has one writer. Variants that refer to the product already hold a key-share lock on it.
  if (getEngine(db) === 'postgres') query = query.forNoKeyUpdate()
  return query.execute()
}

/**
 * Marks a product and its variants as deleted. Their rows stay for orders and the ledger. Returns
 * false when it was already deleted.
 */
export async function deleteProductRow(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  // Lock the variants before the product and by id, in the order that sales lock them. The second
  // pass catches variants added before the product was locked.
  await deleteProductVariants(db, { productId: id, now })
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set(({ eb }) => ({ deletedAt: now, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await deleteProductVariants(db, { productId: id, now })
  return true
}

async function deleteProductVariants(
  db: Db,
  { productId, now }: { productId: string; now: Date },
): Promise<void> {
  await lockVariantsOf(db, [productId])
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ deletedAt: now, version: eb('version', '+', 1), updatedAt: now }))
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Locks a variant for this transaction. Null when it does not exist. */
export async function lockVariant(db: Db, id: string) {
  let query = db.selectFrom('productVariants').selectAll().where('id', '=', id).where('deletedAt', 'is', null)
  if (getEngine(db) === 'postgres') query = query.forNoKeyUpdate()
  return (await query.executeTakeFirst()) ?? null
}

/** A variant, even a deleted one, without a lock. Null when no row has this id. */
export async function findStoredVariant(db: Db, id: string) {
  return (await db.selectFrom('productVariants').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** The product of a variant. Null when the variant does not exist. */
export async function findProductId(db: Db, variantId: string): Promise<string | null> {
  const row = await db
    .selectFrom('productVariants')
    .select('productId')
    .where('id', '=', variantId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.productId ?? null
}

/** Moves a variant to another product. */
export async function moveVariant(
  db: Db,
  { id, productId, genericName, now }: { id: string; productId: string; genericName: string; now: Date },
): Promise<void> {
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ productId, genericName, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .execute()
}

/** The variants that link to this one. */
export async function listLinkedTo(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('productVariants').select('id').where('linkedVariantId', '=', id).execute()
  return rows.map((row) => row.id)
}

/** Removes all links to this variant, which has moved to another product. */
export async function unlinkFrom(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ linkedVariantId: null, version: eb('version', '+', 1), updatedAt: now }))
    .where('linkedVariantId', '=', id)
    .execute()
}

export async function manufacturerExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('manufacturers').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function pharmacyExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('pharmacies').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
