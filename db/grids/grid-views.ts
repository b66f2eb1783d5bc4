import { gridBounds, viewParamsSchema, type GridView } from '#domain/grid-views.ts'
import type { Db } from '../engine/client.ts'
import { isUniqueViolation } from '../engine/sql.ts'

type ViewOwner = { userId: string; grid: string }

const parseParams = (params: string): GridView['params'] => viewParamsSchema.parse(JSON.parse(params))

/** The views that a user has saved of a grid, by name. */
export async function listGridViews(db: Db, { userId, grid }: ViewOwner): Promise<GridView[]> {
  const rows = await db
    .selectFrom('gridViews')
    .select(['id', 'name', 'params'])
    .where('userId', '=', userId)
    .where('grid', '=', grid)
    .orderBy('name')
    .execute()
  return rows.map(({ params, ...row }) => ({ ...row, params: parseParams(params) }))
}

/** All views of a user, for the export of the account. */
export async function listUserGridViews(
  db: Db,
  userId: string,
): Promise<(Omit<GridView, 'id'> & { grid: string; createdAt: Date })[]> {
  const rows = await db
    .selectFrom('gridViews')
    .select(['grid', 'name', 'params', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('grid')
    .orderBy('name')
    .execute()
  return rows.map(({ params, ...row }) => ({ ...row, params: parseParams(params) }))
}

/**
 * Inserts a view, unless the user has as many as allowed, or one with its name. The caller holds
 * the lock on the user's row: two inserts at once would count the same views.
 */
export async function insertGridView(
  db: Db,
  { userId, grid, params, createdAt, ...view }: ViewOwner & GridView & { createdAt: Date },
): Promise<'inserted' | 'taken' | 'too many'> {
  const { count } = await db
    .selectFrom('gridViews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('grid', '=', grid)
    .executeTakeFirstOrThrow()
  if (count >= gridBounds.viewsPerGrid) return 'too many'
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('gridViews')
    .values({ ...view, userId, grid, params: JSON.stringify(params), createdAt })
    .onConflict((conflict) => conflict.columns(['userId', 'grid', 'name']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 0n ? 'taken' : 'inserted'
}

/** Renames a user's view. */
export async function renameGridView(
  db: Db,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<'renamed' | 'taken' | 'missing'> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('gridViews')
      .set({ name })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? 'missing' : 'renamed'
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

export async function deleteGridView(db: Db, { userId, id }: { userId: string; id: string }): Promise<void> {
  await db.deleteFrom('gridViews').where('id', '=', id).where('userId', '=', userId).execute()
}
