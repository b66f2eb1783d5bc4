import { deleteOneTimeTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteMail } from '#db/mail/outbox.ts'
import { findCredentials, findSealedEmail, lockUser } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex, newToken } from '../crypto/tokens.ts'
import { limitRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { makeOneTimeToken, minutesOf } from './one-time-token.ts'
import { openEmail } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Mails a link that sets a new password, when the address has an account. The answer is the same when it has none, and so is the
 * work: the same mail is written and taken back. Throws TOO_MANY.
 */
export async function askForReset(
  ctx: Context,
  { email }: { email: string },
  { origin }: { origin: string },
): Promise<void> {
  const account = emailKey(email)
  await limitRate(ctx, 'reset-address', ctx.clientAddress)
  await limitRate(ctx, 'reset', account)
  await inTransaction(ctx, async (ctx) => {
    const user = await findCredentials(ctx.db, blindIndex(ctx.keys, 'email', account))
    const userId = user?.id ?? newId(ctx.now.getTime())
    const token = user
      ? await makeOneTimeToken(ctx, { purpose: 'reset-password', userId })
      : await makeNoToken(ctx, userId)
    const mailId = await queueMail(ctx, {
      to: { address: (await addressOf(ctx, userId)) ?? email },
      template: 'reset-password',
      props: { link: `${origin}/reset-password?token=${token}`, minutes: minutesOf('reset-password') },
    })
    if (!user) await deleteMail(ctx.db, mailId)
  })
}

/** The address as the account has it: one that was typed may be read as the same and be another's mailbox. */
async function addressOf(ctx: Context, userId: string): Promise<string | null> {
  const user = await findSealedEmail(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  return user && key ? openEmail(key, user) : null
}

/** What a token costs, less its row: nobody is there whose it could be. */
async function makeNoToken(ctx: Context, userId: string): Promise<string> {
  await lockUser(ctx.db, userId)
  await deleteOneTimeTokens(ctx.db, { userId, purpose: 'reset-password' })
  return newToken()
}
