import { deleteOneTimeTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSession, deleteUserSessions } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { reportCreations } from './report-creations.ts'

/** Signs this browser out. Does nothing when it is not signed in. */
export async function endSession(ctx: Context): Promise<void> {
  if (ctx.user) await endOwnSession(ctx, ctx.user.sessionId)
}

/**
 * Ends one of the signed-in user's sessions, possibly the current one. Throws NOT_FOUND when it has
 * ended or is not theirs.
 */
export async function endSessionById(ctx: Context, id: string): Promise<void> {
  if (!(await endOwnSession(ctx, id))) {
    throw new AppError('NOT_FOUND', 'This browser is already signed out.')
  }
}

/** Returns false when the session has ended or is another user's. */
async function endOwnSession(ctx: Context, id: string): Promise<boolean> {
  const user = requireUser(ctx)
  return inTransaction(ctx, async (ctx) => {
    if (!(await deleteSession(ctx.db, { id, userId: user.id }))) return false
    const action = id === user.sessionId ? 'session.ended' : 'session.ended-elsewhere'
    await recordAccountEvent(ctx, { action, userId: user.id, objectId: id })
    return true
  })
}

/**
 * Ends all of the signed-in user's sessions, including the current one. A sign-in that waits for a
 * code of the second factor starts again. Admins get a mail about the API keys and webhooks that
 * the account created.
 */
export async function endAllSessions(ctx: Context): Promise<void> {
  const { id: userId } = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    await deleteSessionsAndSignIns(ctx, userId)
    await recordAccountEvent(ctx, { action: 'sessions.ended', userId })
    await reportCreations(ctx, { userId, event: 'sessions' })
  })
}

/**
 * Deletes a user's sessions, and sign-ins that have given the password and not yet the code.
 * @param exceptSessionId the session that stays signed in
 */
export async function deleteSessionsAndSignIns(
  { db }: Pick<Context, 'db'>,
  userId: string,
  exceptSessionId?: string,
): Promise<void> {
  await deleteUserSessions(db, { userId, exceptSessionId })
  await deleteOneTimeTokens(db, { userId, purpose: 'second-factor' })
}
