import { serverPaths } from '#domain/server-paths.ts'
import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deletePendingTotp } from '#db/accounts/second-factors.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { findProfile, updateEmail } from '#db/accounts/users.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { consumeRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { indexPerson } from './find-customers.ts'
import {
  createOneTimeToken,
  lifetimeMinutes,
  peekOneTimeToken,
  consumeOneTimeToken,
} from './one-time-token.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { verifyOwner, type OwnerProof } from './verify-owner.ts'
import { requireUser } from '../require-user.ts'
import { openName, sealEmail } from './sealed-user.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { openUserKey } from '../crypto/user-key.ts'

const expiredLink = () => new AppError('NOT_FOUND', 'This link no longer works.')

/**
 * Emails a link that makes a new address the account's. An address that belongs to another account
 * gets no email, and the reply is the same, so the form does not reveal who has an account. Throws
 * what `verifyOwner` throws, INVALID when the address is already the account's, CONFLICT when an
 * identity provider manages the address, TOO_MANY.
 */
export async function requestEmailChange(
  ctx: Context,
  { email, ...proof }: OwnerProof & { email: string },
  { origin }: { origin: string },
): Promise<void> {
  const user = requireUser(ctx)
  if (normalizeEmail(email) === normalizeEmail(user.email)) {
    const sentence = 'This is already your email address.'
    throw new AppError('INVALID', sentence, { fields: { email: sentence } })
  }
  if ((await verifyOwner(ctx, proof)) === null) {
    throw new AppError('CONFLICT', 'Your email address is managed by your sign-in provider.')
  }
  await consumeRate(ctx, 'reset', `change-email ${user.id}`)
  if (await findCredentials(ctx.db, hashEmail(ctx, email))) return
  await inTransaction(ctx, async (ctx) => {
    const token = await createOneTimeToken(ctx, { purpose: 'change-email', userId: user.id, detail: email })
    await queueMail(ctx, {
      to: { address: email },
      template: 'change-email',
      props: {
        link: origin + serverPaths.confirmNewEmailWith(token),
        minutes: lifetimeMinutes('change-email'),
      },
    })
  })
}

/**
 * The new address that a link confirms. Null when the link no longer works or belongs to another
 * user.
 */
export async function findEmailChange(ctx: Context, token: string): Promise<string | null> {
  const user = requireUser(ctx)
  const found = await peekOneTimeToken(ctx, 'change-email', token)
  return found?.userId === user.id ? found.detail : null
}

/**
 * Makes the address that a link confirms the account's. Ends every other session, deletes every
 * other link into the account and the unfinished setup of a second factor, and notifies the old
 * address. The link works for its own user only, so a link sent to a mistyped address is useless
 * there. Throws NOT_FOUND when the link no longer works, CONFLICT when another account took the
 * address in the meantime.
 */
export async function confirmEmailChange(
  ctx: Context,
  token: string,
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    const redeemed = await consumeOneTimeToken(ctx, 'change-email', token)
    const key = await openUserKey(ctx, user.id)
    if (!key || redeemed?.userId !== user.id || redeemed.detail === null) throw expiredLink()
    const isAvailable = await updateEmail(ctx.db, {
      id: user.id,
      emailHash: hashEmail(ctx, redeemed.detail),
      sealedEmail: sealEmail(key, user.id, redeemed.detail),
      now: ctx.now,
    })
    if (!isAvailable) throw new AppError('CONFLICT', 'This email address can’t be used.')
    const row = await findProfile(ctx.db, user.id)
    if (row) await indexPerson(ctx, { id: user.id, email: redeemed.detail, ...openName(key, row) })
    await deleteUserSessions(ctx.db, { userId: user.id, exceptSessionId: user.sessionId })
    await deleteEntryTokens(ctx.db, user.id)
    await deletePendingTotp(ctx.db, user.id)
    await recordAccountEvent(ctx, { action: 'email.changed', userId: user.id })
    await requestErasure(ctx, 'value')
    await queueMail(ctx, {
      to: { address: user.email },
      template: 'email-changed',
      props: { supportEmail },
    })
  })
}
