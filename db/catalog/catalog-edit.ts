import { identifiersOf } from '#domain/catalog/identifiers.ts'
import type { Insertable, Updateable } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** The writes of the catalogue that an admin makes by hand. Whoever calls them refreshes the summaries and the search. */

export async function insertProduct(db: Db, product: Insertable<Schema['products']>): Promise<void> {
  await db.insertInto('products').values(product).execute()
}

/** Returns false when there is no such product. */
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

/** Has the variants of a product made by hand, which carry its name as what they are of, follow a new one. */
export async function renameGenerics(
  db: Db,
  { productId, from, to, now }: { productId: string; from: string; to: string; now: Date },
): Promise<void> {
  if (from === to) return
  await lockVariantsOf(db, productId)
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ genericName: to, version: eb('version', '+', 1), updatedAt: now }))
    .where('productId', '=', productId)
    .where('genericName', '=', from)
    .where('catalogKey', 'is', null)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Takes these products' rows for this transaction, in the order of their ids; those that are there. */
export async function lockProducts(db: Db, ids: readonly string[]) {
  let query = db
    .selectFrom('products')
    .select(['id', 'name', 'ingredients', 'catalogKey'])
    .where('id', 'in', [...ids])
    .where('deletedAt', 'is', null)
    .orderBy('id')
  // SQLite has one writer. Variants that name the product as theirs lock its key already.
  if (engineOf(db) === 'postgres') query = query.forNoKeyUpdate()
  return query.execute()
}

/**
 * Deletes a product with its variants; their rows stay for the orders and the ledger. Returns false when it is gone already.
 */
export async function deleteProductRow(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  // The variants first and in their order, as whoever sells them takes them; then those that came until the product was ours.
  await deleteVariantsOf(db, { productId: id, now })
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set(({ eb }) => ({ deletedAt: now, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await deleteVariantsOf(db, { productId: id, now })
  return true
}

/** Takes a product's variants for this transaction, in the order of their ids. SQLite has one writer. */
async function lockVariantsOf(db: Db, productId: string): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db
    .selectFrom('productVariants')
    .select('id')
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

async function deleteVariantsOf(db: Db, { productId, now }: { productId: string; now: Date }): Promise<void> {
  await lockVariantsOf(db, productId)
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ deletedAt: now, version: eb('version', '+', 1), updatedAt: now }))
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Takes a variant's row for this transaction; null when it is gone. */
export async function lockVariant(db: Db, id: string) {
  let query = db.selectFrom('productVariants').selectAll().where('id', '=', id).where('deletedAt', 'is', null)
  if (engineOf(db) === 'postgres') query = query.forNoKeyUpdate()
  return (await query.executeTakeFirst()) ?? null
}

export type LockedVariant = NonNullable<Awaited<ReturnType<typeof lockVariant>>>

/** The product that a variant belongs to; null when it is gone. */
export async function findProductOf(db: Db, variantId: string): Promise<string | null> {
  const row = await db
    .selectFrom('productVariants')
    .select('productId')
    .where('id', '=', variantId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.productId ?? null
}

/** Stores a variant; what it has on hand is the first row of its ledger. */
export async function insertVariant(db: Db, variant: Insertable<Schema['productVariants']>): Promise<void> {
  await db.insertInto('productVariants').values(variant).execute()
}

export async function updateVariantRow(
  db: Db,
  {
    id,
    now,
    ...changes
  }: Omit<Updateable<Schema['productVariants']>, 'stockQuantity'> & { id: string; now: Date },
): Promise<void> {
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ ...changes, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .execute()
}

/** The variants that are linked to this one. */
export async function listLinkedTo(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('productVariants').select('id').where('linkedVariantId', '=', id).execute()
  return rows.map((row) => row.id)
}

/** Lets no variant be linked to this one any longer: it has left their product. */
export async function unlinkFrom(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('productVariants')
    .set(({ eb }) => ({ linkedVariantId: null, version: eb('version', '+', 1), updatedAt: now }))
    .where('linkedVariantId', '=', id)
    .execute()
}

type Identified = Parameters<typeof identifiersOf>[0]

/** Replaces the identifiers that a variant had `before` by those it has `after`. */
export async function replaceIdentifiers(
  db: Db,
  { variantId, before, after }: { variantId: string; before: Identified | null; after: Identified },
): Promise<void> {
  for (const { value, kind } of before ? identifiersOf(before) : []) {
    await db
      .deleteFrom('variantIdentifiers')
      .where('variantId', '=', variantId)
      .where('value', '=', value)
      .where('kind', '=', kind)
      .execute()
  }
  const rows = identifiersOf(after).map((identifier) => ({ ...identifier, variantId }))
  if (rows.length === 0) return
  await db
    .insertInto('variantIdentifiers')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
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
