import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

type PersonTokens = { userId: string; tokens: readonly string[] }

/** The tokens as rows with one column, `value`. */
const tokenRows = (db: Db, tokens: readonly string[]): RawBuilder<unknown> => {
  const json = JSON.stringify(tokens)
  return getEngine(db) === 'postgres'
    ? sql`jsonb_array_elements_text(${json}::jsonb) as value`
    : sql`json_each(${json})`
}

/** Replaces a user's tokens; tokens that no longer apply become former tokens. */
export async function replacePersonTokens(db: Db, { userId, tokens }: PersonTokens): Promise<void> {
  const values = tokenRows(db, tokens)
  await sql`insert into former_person_tokens (token, user_id)
    select token, user_id from person_tokens
    where user_id = ${userId} and token not in (select value from ${values})
    on conflict do nothing`.execute(db)
  await db.deleteFrom('personTokens').where('userId', '=', userId).execute()
  await sql`insert into person_tokens (token, user_id) select value, ${userId} from ${values}`.execute(db)
}

/** Adds former tokens of a user, except those that are current. */
export async function addFormerTokens(db: Db, { userId, tokens }: PersonTokens): Promise<void> {
  await sql`insert into former_person_tokens (token, user_id)
    select value, ${userId} from ${tokenRows(db, tokens)}
    where value not in (select token from person_tokens where user_id = ${userId})
    on conflict do nothing`.execute(db)
}

/**
 * Which tokens match: those of the current name and address, or also former ones, which orders may
 * show.
 */
export type NameScope = 'current' | 'current-and-former'

/** The users with a token. */
const selectUsersWithToken = (token: string, scope: NameScope): RawBuilder<unknown> =>
  scope === 'current'
    ? sql`select user_id from person_tokens where token = ${token}`
    : sql`select user_id from (select user_id from person_tokens where token = ${token}
        union all select user_id from former_person_tokens where token = ${token}) as found`

export async function hasPersonToken(db: Db, token: string, scope: NameScope): Promise<boolean> {
  const { rows } = await sql`${selectUsersWithToken(token, scope)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Matches the user that a column references by all of these tokens. Without tokens it matches no
 * user.
 * @param userId the column, as `sql.ref('orders.user_id')`
 */
export function matchesPerson(
  userId: RawBuilder<unknown>,
  tokens: readonly string[],
  scope: NameScope,
): RawBuilder<SqlBool> {
  if (tokens.length === 0) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${userId} in (${sql.join(
    tokens.map((token) => selectUsersWithToken(token, scope)),
    sql` intersect `,
  )})`
}

/** The next users after `after`, by id, and whether each is indexed. */
export async function listIndexed(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; isIndexed: boolean }[]> {
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      eb
        .exists(
          eb.selectFrom('personTokens').select('token').whereRef('personTokens.userId', '=', 'users.id'),
        )
        .as('isIndexed'),
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, isIndexed }) => ({ id, isIndexed: Boolean(isIndexed) }))
}

/** Removes up to `limit` orders from the queue of unindexed customer names, and returns them. */
export async function dequeueOrdersToIndex(
  db: Db,
  limit: number,
): Promise<{ id: string; userId: string | null; sealedOrder: string }[]> {
  let query = db
    .selectFrom('ordersToIndex')
    // SQLite keeps the order of a cross join: otherwise it reads all orders, in the order below.
    .crossJoin('orders')
    .whereRef('orders.id', '=', 'ordersToIndex.orderId')
    .select(['orders.id', 'orders.userId', 'orders.sealedOrder'])
    .orderBy('orders.userId')
    .limit(limit)
  if (getEngine(db) === 'postgres') query = query.forUpdate('ordersToIndex').skipLocked()
  const rows = await query.execute()
  await db
    .deleteFrom('ordersToIndex')
    .where(isOneOf(db, 'orderId', sql`${JSON.stringify(rows.map(({ id }) => id))}`))
    .execute()
  return rows
}
