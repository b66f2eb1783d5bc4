import { findHiddenColumns, putHiddenColumns } from '#db/grids/grid-settings.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'

/** Which columns of a grid the admin does not want to see; `atFirst` until they have said. Throws UNAUTHENTICATED, FORBIDDEN. */
export const readHiddenColumns = async (
  ctx: Context,
  grid: string,
  atFirst: readonly string[] = [],
): Promise<string[]> =>
  (await findHiddenColumns(ctx.db, { userId: requireAdmin(ctx).id, grid })) ?? [...atFirst]

/** Keeps which columns of a grid the admin does not want to see. Throws UNAUTHENTICATED, FORBIDDEN. */
export const saveHiddenColumns = (
  ctx: Context,
  { grid, columns }: { grid: string; columns: readonly string[] },
): Promise<void> => putHiddenColumns(ctx.db, { userId: requireAdmin(ctx).id, grid, columns })
