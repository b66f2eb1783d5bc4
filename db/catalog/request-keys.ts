import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type RequestKeyRow = Schema['requestKeys']

/**
 * Stores the key of a request, in the transaction that creates the object. Replaces a row of the
 * key from before `endedBefore`. Returns false when the key has a later row; on Postgres, it waits
 * for a concurrent transaction with the same key.
 */
export async function claimRequestKey(
  db: Db,
  row: RequestKeyRow,
  { endedBefore }: { endedBefore: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('requestKeys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet({ id: row.id, requestHash: row.requestHash, createdAt: row.createdAt })
        .where('requestKeys.createdAt', '<', endedBefore),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const getRequestKey = (
  db: Db,
  { scope, key }: Pick<RequestKeyRow, 'scope' | 'key'>,
): Promise<RequestKeyRow> =>
  db
    .selectFrom('requestKeys')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()

export async function deleteRequestKeys(db: Db, scope: string): Promise<void> {
  await db.deleteFrom('requestKeys').where('scope', '=', scope).execute()
}
