import { columnWidthsSchema } from '#domain/grid-views.ts'
import { z } from 'zod'
import type { Db } from '../engine/client.ts'

const hiddenColumnsSchema = z.array(z.string())

type GridOwner = { userId: string; grid: string }
type ChosenColumns = { hidden: string[]; widths: Record<string, number> }

const parseSettings = (row: { hiddenColumns: string; widths: string | null }): ChosenColumns => ({
  hidden: hiddenColumnsSchema.parse(JSON.parse(row.hiddenColumns)),
  widths: row.widths === null ? {} : columnWidthsSchema.parse(JSON.parse(row.widths)),
})

/** What a user has chosen for a grid; null when the user has never chosen. */
export async function findGridSettings(db: Db, { userId, grid }: GridOwner): Promise<ChosenColumns | null> {
  const row = await db
    .selectFrom('gridSettings')
    .select(['hiddenColumns', 'widths'])
    .where('userId', '=', userId)
    .where('grid', '=', grid)
    .executeTakeFirst()
  return row ? parseSettings(row) : null
}

/** What a user has chosen for each grid, for the export of the account. */
export async function listUserGridSettings(
  db: Db,
  userId: string,
): Promise<(ChosenColumns & { grid: string })[]> {
  const rows = await db
    .selectFrom('gridSettings')
    .select(['grid', 'hiddenColumns', 'widths'])
    .where('userId', '=', userId)
    .orderBy('grid')
    .execute()
  return rows.map(({ grid, ...row }) => ({ grid, ...parseSettings(row) }))
}

export async function upsertHiddenColumns(
  db: Db,
  { userId, grid, columns }: GridOwner & { columns: readonly string[] },
): Promise<void> {
  const hiddenColumns = JSON.stringify(columns)
  await db
    .insertInto('gridSettings')
    .values({ userId, grid, hiddenColumns, widths: null })
    .onConflict((conflict) => conflict.columns(['userId', 'grid']).doUpdateSet({ hiddenColumns }))
    .execute()
}

/** @param hidden the hidden columns of a user who has never chosen any */
export async function upsertColumnWidths(
  db: Db,
  {
    userId,
    grid,
    widths,
    hidden,
  }: GridOwner & { widths: Readonly<Record<string, number>>; hidden: readonly string[] },
): Promise<void> {
  const json = JSON.stringify(widths)
  await db
    .insertInto('gridSettings')
    .values({ userId, grid, hiddenColumns: JSON.stringify(hidden), widths: json })
    .onConflict((conflict) => conflict.columns(['userId', 'grid']).doUpdateSet({ widths: json }))
    .execute()
}
