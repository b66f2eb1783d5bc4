import type { Db } from '../engine/client.ts'

/** The stored settings, by name; a setting that was never changed has none. */
export const listSettings = async (db: Db): Promise<Record<string, string>> => {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Stores the value of a setting. */
export async function saveSetting(
  db: Db,
  { name, value, now }: { name: string; value: string; now: Date },
): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value, updatedAt: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updatedAt: now }))
    .execute()
}
