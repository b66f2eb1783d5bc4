import { deleteGridView, insertGridView, renameGridView } from '#db/grids/grid-views.ts'
import { lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { viewMessages, type GridName, type GridView } from '#domain/grid-views.ts'
import { newId } from '#domain/ids.ts'
import { requireStaff } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'

const nameTaken = () => new AppError('INVALID', viewMessages.taken, { fields: { name: viewMessages.taken } })

/**
 * Saves a view of a grid under a name, for this employee. Throws UNAUTHENTICATED, FORBIDDEN,
 * INVALID when the name is taken, CONFLICT when there are too many.
 */
export async function saveView(
  ctx: Context,
  { grid, name, params }: { grid: GridName; name: string; params: GridView['params'] },
): Promise<GridView> {
  const { id: userId } = requireStaff(ctx)
  const view = { id: newId(ctx.now.getTime()), name, params }
  const outcome = await inTransaction(ctx, async ({ db }) => {
    // Saves of one employee wait for each other, so that each counts the views before it.
    if (!(await lockUser(db, userId))) throw new AppError('UNAUTHENTICATED')
    return insertGridView(db, { ...view, userId, grid, createdAt: ctx.now })
  })
  if (outcome === 'taken') throw nameTaken()
  if (outcome === 'too many') throw new AppError('CONFLICT', viewMessages.tooMany)
  return view
}

/** Renames an employee's own view. Throws UNAUTHENTICATED, FORBIDDEN, INVALID, NOT_FOUND. */
export async function renameView(ctx: Context, { id, name }: { id: string; name: string }): Promise<void> {
  const outcome = await renameGridView(ctx.db, { userId: requireStaff(ctx).id, id, name })
  if (outcome === 'taken') throw nameTaken()
  if (outcome === 'missing') throw new AppError('NOT_FOUND', viewMessages.missing)
}

/**
 * Deletes an employee's own view; one that is gone counts as deleted. Throws UNAUTHENTICATED,
 * FORBIDDEN.
 */
export const deleteView = (ctx: Context, id: string): Promise<void> =>
  deleteGridView(ctx.db, { userId: requireStaff(ctx).id, id })
