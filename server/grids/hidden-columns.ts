import { findHiddenColumns, putHiddenColumns } from '#db/grid-settings.ts'
import { requireAdmin } from '../accounts/require-user.ts'
import type { Context } from '../context.ts'

/** Which columns of a grid the admin does not want to see. Throws UNAUTHENTICATED, FORBIDDEN. */
export const readHiddenColumns = (ctx: Context, grid: string): Promise<string[]> =>
  findHiddenColumns(ctx.db, { userId: requireAdmin(ctx).id, grid })

/** Keeps which columns of a grid the admin does not want to see. Throws UNAUTHENTICATED, FORBIDDEN. */
export const saveHiddenColumns = (
  ctx: Context,
  { grid, columns }: { grid: string; columns: readonly string[] },
): Promise<void> => putHiddenColumns(ctx.db, { userId: requireAdmin(ctx).id, grid, columns })
