import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { engineOf, type Db } from './client.ts'

/** Notes what a user is found by, and nothing else from before. */
export async function replacePersonTokens(
  db: Db,
  { userId, tokens }: { userId: string; tokens: readonly string[] },
): Promise<void> {
  await db.deleteFrom('personTokens').where('userId', '=', userId).execute()
  const json = JSON.stringify(tokens)
  const values =
    engineOf(db) === 'postgres'
      ? sql`jsonb_array_elements_text(${json}::jsonb) as value`
      : sql`json_each(${json})`
  await sql`insert into person_tokens (token, user_id) select value, ${userId} from ${values}`.execute(db)
}

export async function hasPersonToken(db: Db, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('personTokens')
    .select('userId')
    .where('token', '=', token)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the user whom a column names is found by all of these tokens; by none of them nobody is.
 * @param userId the column, as `sql.ref('orders.user_id')`
 */
export function matchesPerson(userId: RawBuilder<unknown>, tokens: readonly string[]): RawBuilder<SqlBool> {
  if (tokens.length === 0) return sql<SqlBool>`1 = 0`
  const having = tokens.map((token) => sql`select user_id from person_tokens where token = ${token}`)
  return sql<SqlBool>`${userId} in (${sql.join(having, sql` intersect `)})`
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
