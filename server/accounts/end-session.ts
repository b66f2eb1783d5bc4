import { deleteSession } from '#db/sessions.ts'
import type { Context } from '../context.ts'

/** Signs this browser out; when nobody is signed in there is nothing to end. */
export async function endSession(ctx: Pick<Context, 'db' | 'user'>): Promise<void> {
  if (ctx.user) await deleteSession(ctx.db, { id: ctx.user.sessionId, userId: ctx.user.id })
}
