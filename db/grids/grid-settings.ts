import { z } from 'zod'
import type { Db } from '../engine/client.ts'

const hiddenColumnsSchema = z.array(z.string())

type GridOwner = { userId: string; grid: string }

/** The ids of the columns that a user has hidden; null when the user has never chosen. */
export async function findHiddenColumns(db: Db, { userId, grid }: GridOwner): Promise<string[] | null> {
  const row = await db
    .selectFrom('gridSettings')
    .select('hiddenColumns')
    .where('userId', '=', userId)
    .where('grid', '=', grid)
    .executeTakeFirst()
  return row ? hiddenColumnsSchema.parse(JSON.parse(row.hiddenColumns)) : null
}

export async function upsertHiddenColumns(
  db: Db,
  { userId, grid, columns }: GridOwner & { columns: readonly string[] },
): Promise<void> {
  const hiddenColumns = JSON.stringify(columns)
  await db
    .insertInto('gridSettings')
    .values({ userId, grid, hiddenColumns })
    .onConflict((conflict) => conflict.columns(['userId', 'grid']).doUpdateSet({ hiddenColumns }))
    .execute()
}
