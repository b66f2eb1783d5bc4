import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deletePendingTotp } from '#db/accounts/second-factors.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { updatePassword } from '#db/accounts/credentials.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { findEmail } from './find-email.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { reportCreations } from './report-creations.ts'

/**
 * Sets an account's password, ends its sessions, deletes every token that leads into the account
 * and the unfinished setup of a second factor, and notifies its owner by email. Admins get a mail
 * about the API keys and webhooks that it created. Call it in the transaction that verified the
 * request.
 * @param keepSessionId the session that stays signed in
 */
export async function setPassword(
  ctx: Context,
  {
    userId,
    passwordHash,
    supportEmail,
    keepSessionId,
  }: { userId: string; passwordHash: string; supportEmail: string; keepSessionId?: string },
): Promise<void> {
  await updatePassword(ctx.db, { id: userId, passwordHash, now: ctx.now })
  await deleteUserSessions(ctx.db, { userId, exceptSessionId: keepSessionId })
  await deleteEntryTokens(ctx.db, userId)
  await deletePendingTotp(ctx.db, userId)
  const isReset = keepSessionId === undefined
  await recordAccountEvent(
    ctx,
    isReset ? { action: 'password.reset', userId, actorId: null } : { action: 'password.changed', userId },
  )
  await reportCreations(ctx, { userId, event: 'password' })
  const email = await findEmail(ctx, userId)
  if (email === null) return
  await queueMail(ctx, {
    to: { address: email },
    template: 'password-changed',
    props: { supportEmail },
  })
}
