import { findGridSettings, upsertColumnWidths, upsertHiddenColumns } from '#db/grids/grid-settings.ts'
import { listGridViews } from '#db/grids/grid-views.ts'
import type { GridName, GridSettings } from '#domain/grid-views.ts'
import { requireStaff } from '../require-user.ts'
import type { Context } from '../context.ts'

/**
 * The columns that are hidden until an employee chooses others: the documented columns of variants
 * fit at 1280 px, and the margin is an addition.
 */
const hiddenByDefault: Readonly<Partial<Record<GridName, readonly string[]>>> = { variants: ['margin'] }

/** What the employee has chosen for a grid. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function getGridSettings(ctx: Context, grid: GridName): Promise<GridSettings> {
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
  { grid, columns }: { grid: GridName; columns: readonly string[] },
): Promise<void> => upsertHiddenColumns(ctx.db, { userId: requireStaff(ctx).id, grid, columns })

/**
 * Saves the widths of the columns that the employee has resized. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export const saveColumnWidths = (
  ctx: Context,
  { grid, widths }: { grid: GridName; widths: Readonly<Record<string, number>> },
): Promise<void> =>
  upsertColumnWidths(ctx.db, {
    userId: requireStaff(ctx).id,
    grid,
    widths,
    hidden: hiddenByDefault[grid] ?? [],
  })
