import type { KeyCreator } from '#domain/api-keys/creator-permissions.ts'
import {
  catalogPermissionsSchema,
  permissionsOfAccess,
  type CatalogPermission,
  type KeyPermission,
} from '#domain/api-keys/key-permissions.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type StoredPermissions = Pick<Schema['apiKeys'], 'permissions' | 'orderAccess'>

/** A key with all of its permissions. */
export type ApiKeyRow = Omit<Schema['apiKeys'], keyof StoredPermissions> & { permissions: KeyPermission[] }

const parsePermissions = <Row extends StoredPermissions>({ permissions, orderAccess, ...row }: Row) => ({
  ...row,
  permissions: [
    ...(orderAccess ? permissionsOfAccess[orderAccess] : []),
    ...catalogPermissionsSchema.parse(JSON.parse(permissions)),
  ],
})

const selectKeys = (db: Db) =>
  db
    .selectFrom('apiKeys')
    .leftJoin('users', 'users.id', 'apiKeys.createdBy')
    .selectAll('apiKeys')
    .select(['users.roles', 'users.suspendedAt', 'users.totpConfirmedAt'])

const keyOfHash = prepareQuery((db, p: Params<{ keyHash: string }>) =>
  selectKeys(db).where('apiKeys.keyHash', '=', p.keyHash),
)

/** A key with its creator; null when the creator's account was deleted. */
export type KeyWithCreator = ApiKeyRow & { creator: KeyCreator | null }

function toKeyWithCreator({
  roles,
  suspendedAt,
  totpConfirmedAt,
  ...row
}: Schema['apiKeys'] & { [Name in keyof KeyCreator]: KeyCreator[Name] | null }): KeyWithCreator {
  return {
    ...parsePermissions(row),
    creator: roles === null ? null : { roles, suspendedAt, totpConfirmedAt },
  }
}

/** The key of a hash, also an ended one. */
export async function findKey(db: Db, keyHash: string): Promise<KeyWithCreator | null> {
  const [row] = await keyOfHash(db, { keyHash })
  return row ? toKeyWithCreator(row) : null
}

/** Every key, the newest first. Ended ones stay for their retention period. */
export async function listKeys(db: Db): Promise<KeyWithCreator[]> {
  return (await selectKeys(db).orderBy('apiKeys.id', 'desc').execute()).map(toKeyWithCreator)
}

/** Returns false when a key with this id exists. */
export async function insertKey(
  db: Db,
  {
    permissions,
    ...row
  }: Omit<Schema['apiKeys'], 'permissions' | 'lastUsedAt' | 'revokedAt'> & {
    permissions: CatalogPermission[]
  },
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
