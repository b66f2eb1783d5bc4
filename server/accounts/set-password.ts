import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSessionsOf } from '#db/accounts/sessions.ts'
import { findSealedEmail, updatePassword } from '#db/accounts/users.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { openEmail } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Gives an account another password: its sessions end, what was mailed or begun under the old one no longer works, and its owner
 * is told by mail. Inside the transaction that proved who asks.
 * @param keepSessionId the session that stays, of whoever changes it while signed in
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
  await deleteSessionsOf(ctx.db, { userId, but: keepSessionId })
  await deleteEntryTokens(ctx.db, userId)
  await recordAudit(ctx, { action: 'password.changed', subjectId: userId })
  const user = await findSealedEmail(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  if (!user || !key) return
  await queueMail(ctx, {
    to: { address: openEmail(key, user) },
    template: 'password-changed',
    props: { supportEmail },
  })
}
