import type { Db } from '../engine/client.ts'

type Whose = { userId: string; grid: string }

/** The ids of the columns that somebody does not want to see; null when they have not said. */
export async function findHiddenColumns(db: Db, { userId, grid }: Whose): Promise<string[] | null> {
  const row = await db
    .selectFrom('gridSettings')
    .select('hiddenColumns')
    .where('userId', '=', userId)
    .where('grid', '=', grid)
    .executeTakeFirst()
  return row ? (JSON.parse(row.hiddenColumns) as string[]) : null
}

export async function putHiddenColumns(
  db: Db,
  { userId, grid, columns }: Whose & { columns: readonly string[] },
): Promise<void> {
  const hiddenColumns = JSON.stringify(columns)
  await db
    .insertInto('gridSettings')
    .values({ userId, grid, hiddenColumns })
    .onConflict((conflict) => conflict.columns(['userId', 'grid']).doUpdateSet({ hiddenColumns }))
    .execute()
}
