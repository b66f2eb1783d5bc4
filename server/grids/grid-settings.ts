import { findGridSettings, upsertColumnWidths, upsertHiddenColumns } from '#db/grids/grid-settings.ts'
import { listGridViews } from '#db/grids/grid-views.ts'
import type { GridSettings } from '#domain/grid-views.ts'
import { requireStaff } from '../require-user.ts'
import type { Context } from '../context.ts'

/**
 * The columns that are hidden until an employee chooses others: the documented columns of variants
 * fit at 1280 px, and the margin is an addition.
 */
const hiddenByDefault: Readonly<Record<string, readonly string[]>> = { variants: ['margin'] }

/** What the employee has chosen for a grid. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function getGridSettings(ctx: Context, grid: string): Promise<GridSettings> {
  const { id: userId } = requireStaff(ctx)
  const [chosen, views] = await Promise.all([
    findGridSettings(ctx.db, { userId, grid }),
    listGridViews(ctx.db, { userId, grid }),
  ])
  return { ...(chosen ?? { hidden: hiddenByDefault[grid] ?? [], widths: {} }), views }
}

/** Saves the columns of a grid that the employee has hidden. Throws UNAUTHENTICATED, FORBIDDEN. */
export const saveHiddenColumns = (
  ctx: Context,
  { grid, columns }: { grid: string; columns: readonly string[] },
): Promise<void> => upsertHiddenColumns(ctx.db, { userId: requireStaff(ctx).id, grid, columns })

/**
 * Saves the widths of the columns that the employee has resized. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export const saveColumnWidths = (
  ctx: Context,
  { grid, widths }: { grid: string; widths: Readonly<Record<string, number>> },
): Promise<void> =>
  upsertColumnWidths(ctx.db, {
    userId: requireStaff(ctx).id,
    grid,
    widths,
    hidden: hiddenByDefault[grid] ?? [],
  })
