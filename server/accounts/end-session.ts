import { deleteSession, deleteUserSessions } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'

type SessionContext = Pick<Context, 'db' | 'user'>

/** Signs this browser out. Does nothing when it is not signed in. */
export async function endSession(ctx: SessionContext): Promise<void> {
  if (ctx.user) await deleteSession(ctx.db, { id: ctx.user.sessionId, userId: ctx.user.id })
}

/**
 * Ends one of the signed-in user's sessions, possibly the current one. Throws NOT_FOUND when it has
 * ended or is not theirs.
 */
export async function endSessionById(ctx: SessionContext, id: string): Promise<void> {
  const user = requireUser(ctx)
  if (!(await deleteSession(ctx.db, { id, userId: user.id }))) {
    throw new AppError('NOT_FOUND', 'This browser is already signed out.')
  }
}

/** Ends all of the signed-in user's sessions, including the current one. */
export async function endAllSessions(ctx: SessionContext): Promise<void> {
  await deleteUserSessions(ctx.db, { userId: requireUser(ctx).id })
}
