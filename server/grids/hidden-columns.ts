import { findHiddenColumns, upsertHiddenColumns } from '#db/grids/grid-settings.ts'
import { requireStaff } from '../require-user.ts'
import type { Context } from '../context.ts'

/**
 * The columns of a grid that the admin has hidden; `defaults` until they choose. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export const getHiddenColumns = async (
  ctx: Context,
  grid: string,
  defaults: readonly string[] = [],
): Promise<string[]> =>
  (await findHiddenColumns(ctx.db, { userId: requireStaff(ctx).id, grid })) ?? [...defaults]

/** Saves the columns of a grid that the admin has hidden. Throws UNAUTHENTICATED, FORBIDDEN. */
export const saveHiddenColumns = (
  ctx: Context,
  { grid, columns }: { grid: string; columns: readonly string[] },
): Promise<void> => upsertHiddenColumns(ctx.db, { userId: requireStaff(ctx).id, grid, columns })
