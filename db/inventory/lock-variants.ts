import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Locks variants in the order of their ids. SQLite needs no lock: it has one writer. */
async function lockWhere(db: Db, condition: RawBuilder<SqlBool>): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  await db
    .selectFrom('productVariants')
    .select('id')
    .where(condition)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Locks these variants in the order of their ids, for a transaction that writes them more than
 * once: it may release one after it reserved another.
 */
export const lockVariants = (db: Db, ids: readonly string[]): Promise<void> =>
  lockWhere(db, isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))

/** Locks the live variants of these products in the same order. */
export const lockVariantsOf = (db: Db, productIds: readonly string[]): Promise<void> =>
  lockWhere(
    db,
    // The index by product has live variants only.
    sql`${isOneOf(db, 'product_id', sql`${JSON.stringify(productIds)}`)} and deleted_at is null`,
  )
