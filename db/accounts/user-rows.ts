import type { GridPage } from '#domain/grid.ts'
import type { UserQuery } from '#domain/accounts/user-rows.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { matchesPerson } from './person-tokens.ts'

/** An account as the list shows it, sealed, with the key that opens it. */
const rows = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'users.id',
      'users.isAdmin',
      'users.sealedEmail',
      'users.sealedName',
      'users.totpConfirmedAt',
      'users.createdAt',
      'userKeys.wrappedKey',
    ])
    .select(
      sql<number>`(select cast(count(*) as integer) from orders where orders.user_id = users.id)`.as(
        'orderCount',
      ),
    )

export type SealedUserRow = Awaited<ReturnType<typeof findUserRows>>[number]

type Wanted = Pick<UserQuery, 'role'> & {
  /** What the search is for (`tokensOfSearch`); null finds all. */
  tokens: readonly string[] | null
}

const wanted = ({ role, tokens }: Wanted): RawBuilder<SqlBool> => {
  const conditions = [
    ...(role === undefined ? [] : [sql`users.is_admin = ${role === 'admins'}`]),
    ...(tokens === null ? [] : [matchesPerson(sql.ref('users.id'), tokens, 'of now')]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`
}

/** A page of the accounts, by when they were made: the ids say so (UUIDv7). */
export async function listUserRows(
  db: Db,
  query: UserQuery,
  tokens: Wanted['tokens'],
): Promise<GridPage<SealedUserRow>> {
  const condition = wanted({ role: query.role, tokens })
  const total = db
    .selectFrom('users')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  const id = sql<string>`users.id`
  return keysetPage(
    rows(db).where(condition),
    { by: id, id },
    query,
    total.then(({ count }) => count),
  )
}

/** The accounts with these ids; those that are gone are left out. */
export const findUserRows = async (db: Db, ids: readonly string[]) =>
  ids.length === 0 ? [] : rows(db).where('users.id', 'in', ids).execute()

/** The first accounts that match, by id. */
export const listMatchingUserRows = (db: Db, { limit, ...query }: Wanted & { limit: number }) =>
  rows(db).where(wanted(query)).orderBy('users.id').limit(limit).execute()
