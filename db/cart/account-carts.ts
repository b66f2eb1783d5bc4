import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

/** The carts of accounts: sealed lines, which SQL finds by their hashes only. */

export type AccountCartRow = Schema['accountCartLines']

const rowsOf = prepareQuery((db, p: Params<{ userId: string }>) =>
  db
    .selectFrom('userKeys')
    .leftJoin('accountCartLines', 'accountCartLines.userId', 'userKeys.userId')
    .select(['userKeys.wrappedKey', 'accountCartLines.lineHash', 'accountCartLines.sealedLine'])
    .where('userKeys.userId', '=', p.userId),
)

/**
 * The sealed lines of an account's cart, in no order, and the user's wrapped key. Null when the key
 * was destroyed.
 */
export async function findAccountCart(
  db: Db,
  userId: string,
): Promise<{ wrappedKey: string; rows: AccountCartRow[] } | null> {
  const found = await rowsOf(db, { userId })
  const wrappedKey = found[0]?.wrappedKey
  if (wrappedKey === undefined) return null
  return {
    wrappedKey,
    rows: found.flatMap(({ lineHash, sealedLine }) =>
      lineHash === null || sealedLine === null ? [] : [{ userId, lineHash, sealedLine }],
    ),
  }
}

/** Creates or replaces a line. */
export async function saveAccountLine(db: Db, row: AccountCartRow): Promise<void> {
  await db
    .insertInto('accountCartLines')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'lineHash']).doUpdateSet({ sealedLine: row.sealedLine }),
    )
    .execute()
}

const deleteLines = prepareQuery((db, p: Params<{ userId: string; lineHashes: string }>) =>
  db
    .deleteFrom('accountCartLines')
    .where('userId', '=', p.userId)
    .where(isOneOf(db, 'line_hash', p.lineHashes)),
)

/** Deletes lines of an account's cart. Ignores those that are not in it. */
export async function deleteAccountLines(
  db: Db,
  { userId, lineHashes }: { userId: string; lineHashes: readonly string[] },
): Promise<void> {
  if (lineHashes.length > 0) await deleteLines(db, { userId, lineHashes: JSON.stringify(lineHashes) })
}

/** Accounts whose cart is from before migration 0027 and in plaintext, with their lines. */
export async function listPlainAccountCarts(
  db: Db,
  limit: number,
): Promise<{ cartId: string; userId: string; lines: Schema['cartLines'][] }[]> {
  const carts = await db
    .selectFrom('carts')
    .select(['id', 'userId'])
    .where('userId', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = sql`${JSON.stringify(carts.map(({ id }) => id))}`
  const lines = await db
    .selectFrom('cartLines')
    .selectAll()
    .where(isOneOf(db, 'cart_id', ids as never))
    .execute()
  return carts.flatMap(({ id, userId }) =>
    userId === null ? [] : [{ cartId: id, userId, lines: lines.filter(({ cartId }) => cartId === id) }],
  )
}
