import { markEmailConfirmed } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { consumeOneTimeToken, peekOneTimeToken } from './one-time-token.ts'
import { expiredLinkMessage } from './reset-password.ts'

/**
 * Whether the link from an email can confirm the address of the signed-in account. A visitor must
 * sign in first.
 */
export async function checkConfirmationLink(
  ctx: Context,
  token: string,
): Promise<'valid' | 'signed-out' | 'other-account' | 'invalid'> {
  const found = await peekOneTimeToken(ctx, 'confirm-email', token)
  if (!found) return 'invalid'
  if (!ctx.user) return 'signed-out'
  return found.userId === ctx.user.id ? 'valid' : 'other-account'
}

/**
 * Marks the signed-in account's address as confirmed, by the link from the email. It takes both: a
 * stranger may have registered the address, and its owner may then press the button of that email.
 * Throws NOT_FOUND when the link no longer works or belongs to another account.
 */
export async function confirmEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    const redeemed = await consumeOneTimeToken(ctx, 'confirm-email', token)
    if (redeemed?.userId !== user.id) throw new AppError('NOT_FOUND', expiredLinkMessage)
    await markEmailConfirmed(ctx.db, { id: user.id, now: ctx.now })
  })
}
