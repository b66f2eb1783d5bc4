import type { GridPage } from '#domain/grid.ts'
import type { UserQuery } from '#domain/accounts/user-rows.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import { matchesPerson } from './person-tokens.ts'

/** A row of the account list, sealed, with the key that opens it. */
const selectRows = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'users.id',
      'users.roles',
      'users.sealedEmail',
      'users.sealedName',
      'users.totpConfirmedAt',
      'users.suspendedAt',
      'users.createdAt',
      'userKeys.wrappedKey',
    ])
    .select(
      sql<number>`(select cast(count(*) as integer) from orders where orders.user_id = users.id)`.as(
        'orderCount',
      ),
    )

export type SealedUserRow = Awaited<ReturnType<typeof findUserRows>>[number]

type UserFilter = Pick<UserQuery, 'role' | 'status'> & {
  /** The search tokens (`searchTokens`); null matches all. */
  tokens: readonly string[] | null
}

/** Accounts with a role, or without any. */
export const roleCondition = (filter: NonNullable<UserQuery['role']>): RawBuilder<SqlBool> =>
  filter === 'users'
    ? sql`users.roles = ''`
    : sql`',' || users.roles || ',' like ${`%,${filter === 'admins' ? 'admin' : filter},%`}`

const userCondition = ({ role, status, tokens }: UserFilter): RawBuilder<SqlBool> => {
  const conditions = [
    ...(role === undefined ? [] : [roleCondition(role)]),
    ...(status === undefined
      ? []
      : [status === 'suspended' ? sql`users.suspended_at is not null` : sql`users.suspended_at is null`]),
    ...(tokens === null ? [] : [matchesPerson(sql.ref('users.id'), tokens, 'current')]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`
}

/** A page of the accounts by creation time, which the ids (UUIDv7) encode. */
export async function listUserRows(
  db: Db,
  query: UserQuery,
  tokens: UserFilter['tokens'],
): Promise<GridPage<SealedUserRow>> {
  const condition = userCondition({ role: query.role, status: query.status, tokens })
  const id = sql<string>`users.id`
  return keysetPage(
    selectRows(db).where(condition),
    { by: id, id },
    query,
    countRows(db, db.selectFrom('users').where(condition)),
  )
}

/** The accounts with these ids; missing ones are left out. */
export const findUserRows = async (db: Db, ids: readonly string[]) =>
  ids.length === 0 ? [] : selectRows(db).where('users.id', 'in', ids).execute()

/** The first matching accounts, by id. */
export const listMatchingUserRows = (db: Db, { limit, ...query }: UserFilter & { limit: number }) =>
  selectRows(db).where(userCondition(query)).orderBy('users.id').limit(limit).execute()
