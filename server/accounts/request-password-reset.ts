import { paths } from '#domain/paths.ts'
import { deleteOneTimeTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteMail } from '#db/mail/outbox.ts'
import { findCredentials, findSealedEmail, lockUser } from '#db/accounts/users.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { newToken } from '../crypto/tokens.ts'
import { limitRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { createOneTimeToken, lifetimeMinutes } from './one-time-token.ts'
import { openEmail } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Emails a link that sets a new password, when the address has an account. For an unknown address
 * the reply is the same and so is the work: the same email is written and deleted again. Throws
 * TOO_MANY.
 */
export async function requestPasswordReset(
  ctx: Context,
  { email }: { email: string },
  { origin }: { origin: string },
): Promise<void> {
  const account = normalizeEmail(email)
  await limitRate(ctx, 'reset-address', ctx.clientAddress)
  await limitRate(ctx, 'reset', account)
  await inTransaction(ctx, async (ctx) => {
    const user = await findCredentials(ctx.db, hashEmail(ctx, account))
    const userId = user?.id ?? newId(ctx.now.getTime())
    const token = user
      ? await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
      : await createDummyToken(ctx, userId)
    const mailId = await queueMail(ctx, {
      to: { address: (await findAccountEmail(ctx, userId)) ?? email },
      template: 'reset-password',
      props: { link: origin + paths.resetPasswordWith(token), minutes: lifetimeMinutes('reset-password') },
    })
    if (!user) await deleteMail(ctx.db, mailId)
  })
}

/**
 * The address as the account stores it. A typed address can be equal under normalization and still
 * be another person's mailbox.
 */
async function findAccountEmail(ctx: Context, userId: string): Promise<string | null> {
  const user = await findSealedEmail(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  return user && key ? openEmail(key, user) : null
}

/** Does the work of creating a token, without storing a row. */
async function createDummyToken(ctx: Context, userId: string): Promise<string> {
  await lockUser(ctx.db, userId)
  await deleteOneTimeTokens(ctx.db, { userId, purpose: 'reset-password' })
  return newToken()
}
