import type { Insertable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** When a release last used each of these assets. Assets that are not stored are missing. */
export async function readClientAssetUses(db: Db, names: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('clientAssets')
    .select(['name', 'usedAt'])
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ name, usedAt }) => [name, usedAt]))
}

/** Adds an asset unless it is stored already. Assets with the same name have the same content. */
export async function addClientAsset(db: Db, asset: Insertable<Schema['clientAssets']>): Promise<void> {
  await db
    .insertInto('clientAssets')
    .values(asset)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

export async function markClientAssetUsed(db: Db, name: string, usedAt: Date): Promise<void> {
  await db.updateTable('clientAssets').set({ usedAt }).where('name', '=', name).execute()
}

/** Compressed with gzip; null if no recent release has it. */
export async function findClientAsset(db: Db, name: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('clientAssets')
    .select('gzipped')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.gzipped ?? null
}

export async function deleteClientAssets(db: Db, { usedBefore }: { usedBefore: Date }): Promise<void> {
  await db.deleteFrom('clientAssets').where('usedAt', '<', usedBefore).execute()
}
