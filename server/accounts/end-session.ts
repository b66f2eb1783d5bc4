import { deleteSession, deleteSessionsOf } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'

type Signed = Pick<Context, 'db' | 'user'>

/** Signs this browser out; when nobody is signed in there is nothing to end. */
export async function endSession(ctx: Signed): Promise<void> {
  if (ctx.user) await deleteSession(ctx.db, { id: ctx.user.sessionId, userId: ctx.user.id })
}

/** Signs another browser of one's own out, or this one. Throws NOT_FOUND when it is none of them, or no longer. */
export async function endOneSession(ctx: Signed, id: string): Promise<void> {
  const user = requireUser(ctx)
  if (!(await deleteSession(ctx.db, { id, userId: user.id }))) {
    throw new AppError('NOT_FOUND', 'This browser is signed out already.')
  }
}

/** Signs every browser of whoever is signed in out, this one too. */
export async function endAllSessions(ctx: Signed): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId: requireUser(ctx).id })
}
