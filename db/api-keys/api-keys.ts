import { keyPermissionsSchema, type KeyPermission } from '#domain/api-keys/key-permissions.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type ApiKeyRow = Omit<Schema['apiKeys'], 'permissions'> & { permissions: KeyPermission[] }

const parsePermissions = <Row extends { permissions: string }>(row: Row) => ({
  ...row,
  permissions: keyPermissionsSchema.parse(JSON.parse(row.permissions)),
})

const keyWithCreator = prepareQuery((db, p: Params<{ keyHash: string; now: Date }>) =>
  db
    .selectFrom('apiKeys')
    .innerJoin('users', 'users.id', 'apiKeys.createdBy')
    .select([
      'apiKeys.id',
      'apiKeys.name',
      'apiKeys.permissions',
      'apiKeys.lastUsedAt',
      'users.id as userId',
      'users.roles',
      'users.totpConfirmedAt',
    ])
    .where('apiKeys.keyHash', '=', p.keyHash)
    .where('apiKeys.expiresAt', '>', p.now)
    .where('apiKeys.revokedAt', 'is', null)
    .where('users.suspendedAt', 'is', null),
)

/** The active key of a hash with its creator, unless the creator is suspended or deleted. */
export async function findActiveKey(db: Db, values: { keyHash: string; now: Date }) {
  const [row] = await keyWithCreator(db, values)
  return row ? parsePermissions(row) : null
}

/** Every key, the newest first. Ended ones stay for their retention period. */
export async function listKeys(db: Db): Promise<ApiKeyRow[]> {
  const rows = await db.selectFrom('apiKeys').selectAll().orderBy('id', 'desc').execute()
  return rows.map(parsePermissions)
}

/** Returns false when a key with this id exists. */
export async function insertKey(
  db: Db,
  { permissions, ...row }: Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('apiKeys')
    .values({ ...row, permissions: JSON.stringify(permissions), lastUsedAt: null, revokedAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false when it is revoked or deleted already. */
export async function revokeKey(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Concurrent requests write the last use once. */
export async function touchKey(
  db: Db,
  { id, now, before }: { id: string; now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', before)]))
    .execute()
}
