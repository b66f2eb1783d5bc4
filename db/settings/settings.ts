import type { SettingName } from '#domain/settings/settings.ts'
import { sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { getEngine, type Db } from '../engine/client.ts'

/** The stored settings, by name; a setting that was never changed has none. */
export const listSettings = async (db: Db): Promise<Record<string, string>> => {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The advisory locks of settings. Any number that no other lock of the database has. */
const settingLocks = 7_364_201

/**
 * Locks a setting until this transaction ends, so that what depends on it is decided by one
 * transaction at a time. A setting that was never changed has no row to lock.
 */
export async function lockSetting(db: Db, name: SettingName): Promise<void> {
  if (getEngine(db) !== 'postgres') return
  await sql`select pg_advisory_xact_lock(${sql.lit(settingLocks)}, hashtext(${name}))`.execute(db)
}

/**
 * Replaces the value of a setting that has this one. Null is a setting that was never changed.
 * False when the stored value is another one.
 */
export async function replaceSetting(
  db: Db,
  { name, before, after, now }: { name: string; before: string | null; after: string; now: Date },
): Promise<boolean> {
  if (before === null) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('settings')
      .values({ name, value: after, updatedAt: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('settings')
    .set({ value: after, updatedAt: now })
    .where('name', '=', name)
    .where('value', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type SettingChangeRow = Schema['settingsHistory']

/** Adds a change to the history. */
export async function insertSettingChange(db: Db, change: SettingChangeRow): Promise<void> {
  await db.insertInto('settingsHistory').values(change).execute()
}

/** The newest changes of a setting, or of all; before this id, or from the newest. */
export const listSettingChanges = (
  db: Db,
  { before, limit, name = null }: { before: string | null; limit: number; name?: string | null },
): Promise<SettingChangeRow[]> =>
  db
    .selectFrom('settingsHistory')
    .selectAll()
    .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
    .$if(name !== null, (query) => query.where('name', '=', name ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
