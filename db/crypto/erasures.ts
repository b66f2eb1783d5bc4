import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { rewriteTables, truncateWal } from '../engine/erase.ts'

/**
 * What was deleted. Postgres erases keys only: it would have to rewrite whole tables of values,
 * which open with keys alone.
 */
export type Erased = 'key' | 'value'

/** Tables that hold nothing but wrapped keys. */
const keyTables = ['user_keys', 'record_keys', 'shop_keys']

/** Requests that the deletion made by this transaction is erased from the database's files. */
export async function insertErasure(
  db: Db,
  { erased, ...row }: { id: string; createdAt: Date; erased: Erased },
): Promise<void> {
  if (erased === 'value' && getEngine(db) === 'postgres') return
  await db.insertInto('erasures').values(row).execute()
}

/** When the oldest deletion was made that is not erased yet; null when all are. */
export async function findOldestErasure(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('erasures')
    .select('createdAt')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

/** Erases what was deleted from the database's files. Deletions that could not be erased remain. */
export const eraseDeleted = (db: Db): Promise<void> =>
  getEngine(db) === 'sqlite' ? eraseFromFile(db) : eraseFromTables(db)

async function eraseFromFile(db: Db): Promise<void> {
  const erasures = await db.selectFrom('erasures').select('id').execute()
  if (!(await truncateWal(db))) return
  const ids = sql<string>`select value from json_each(${JSON.stringify(erasures.map(({ id }) => id))})`
  await db
    .deleteFrom('erasures')
    .where(sql<boolean>`id in (${ids})`)
    .execute()
}

async function eraseFromTables(db: Db): Promise<void> {
  if (!(await rewriteTables(db, keyTables))) return
  // A rewrite keeps deleted rows that an older snapshot can still see. It sets the table's
  // relfrozenxid to the oldest transaction that any snapshot can see, so all rows that earlier
  // transactions deleted are gone. That can be older than needed, because the rewrite's own
  // snapshot counts the other databases of the server. The request's own xmin is the transaction
  // that deleted.
  await sql`delete from erasures where age(xmin) > (select max(age(relfrozenxid)) from pg_class
    where oid in (${sql.join(keyTables.map((table) => sql`${table}::regclass`))}))`.execute(db)
}

/** Empties SQLite's write-ahead log. What ordinary changes replaced is then no longer in it. */
export const truncateLog = async (db: Db): Promise<void> => {
  if (getEngine(db) === 'sqlite') await truncateWal(db)
}
