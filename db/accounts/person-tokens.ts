import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

type Found = { userId: string; tokens: readonly string[] }

/** The tokens as rows of one column, `value`. */
const valuesOf = (db: Db, tokens: readonly string[]): RawBuilder<unknown> => {
  const json = JSON.stringify(tokens)
  return engineOf(db) === 'postgres'
    ? sql`jsonb_array_elements_text(${json}::jsonb) as value`
    : sql`json_each(${json})`
}

/** Notes what a user is found by; what was from before is what they were found by formerly. */
export async function replacePersonTokens(db: Db, { userId, tokens }: Found): Promise<void> {
  const values = valuesOf(db, tokens)
  await sql`insert into former_person_tokens (token, user_id)
    select token, user_id from person_tokens
    where user_id = ${userId} and token not in (select value from ${values})
    on conflict do nothing`.execute(db)
  await db.deleteFrom('personTokens').where('userId', '=', userId).execute()
  await sql`insert into person_tokens (token, user_id) select value, ${userId} from ${values}`.execute(db)
}

/** Notes what a user was found by formerly; what they are found by still is no news. */
export async function addFormerTokens(db: Db, { userId, tokens }: Found): Promise<void> {
  await sql`insert into former_person_tokens (token, user_id)
    select value, ${userId} from ${valuesOf(db, tokens)}
    where value not in (select token from person_tokens where user_id = ${userId})
    on conflict do nothing`.execute(db)
}

/** Whose tokens: of their names of now, or of all that they had, which their orders may show. */
export type Names = 'of now' | 'of all time'

/** The users who have a token. */
const having = (token: string, names: Names): RawBuilder<unknown> =>
  names === 'of now'
    ? sql`select user_id from person_tokens where token = ${token}`
    : sql`select user_id from (select user_id from person_tokens where token = ${token}
        union all select user_id from former_person_tokens where token = ${token}) as found`

export async function hasPersonToken(db: Db, token: string, names: Names): Promise<boolean> {
  const { rows } = await sql`${having(token, names)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whether the user whom a column names is found by all of these tokens; by none of them nobody is.
 * @param userId the column, as `sql.ref('orders.user_id')`
 */
export function matchesPerson(
  userId: RawBuilder<unknown>,
  tokens: readonly string[],
  names: Names,
): RawBuilder<SqlBool> {
  if (tokens.length === 0) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${userId} in (${sql.join(
    tokens.map((token) => having(token, names)),
    sql` intersect `,
  )})`
}

/** Users after `after`, in the order of their ids, who are found by nothing yet. */
export async function listUnindexed(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('personTokens').select('token').whereRef('personTokens.userId', '=', 'users.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Some orders of before whose customer's name of then has to be read, and forgets that they have to. */
export async function takeOrdersToIndex(
  db: Db,
  limit: number,
): Promise<{ id: string; userId: string | null; sealedOrder: string }[]> {
  let query = db
    .selectFrom('ordersToIndex')
    .innerJoin('orders', 'orders.id', 'ordersToIndex.orderId')
    .select(['orders.id', 'orders.userId', 'orders.sealedOrder'])
    .orderBy('orders.userId')
    .limit(limit)
  if (engineOf(db) === 'postgres') query = query.forUpdate('ordersToIndex').skipLocked()
  const rows = await query.execute()
  await db
    .deleteFrom('ordersToIndex')
    .where(isOneOf(db, 'orderId', sql`${JSON.stringify(rows.map(({ id }) => id))}`))
    .execute()
  return rows
}
