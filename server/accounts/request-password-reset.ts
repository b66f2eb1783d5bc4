import { serverPaths } from '#domain/server-paths.ts'
import { deleteOneTimeTokens, hasTokenSince } from '#db/accounts/one-time-tokens.ts'
import { deleteMail } from '#db/mail/outbox.ts'
import { lockUser } from '#db/accounts/users.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { newToken } from '../crypto/tokens.ts'
import { tryConsumeRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { findEmail } from './find-email.ts'
import { findKnownDevice, type DeviceTokens } from './known-device.ts'
import { createOneTimeToken, lifetimeMinutes } from './one-time-token.ts'

/** A second request within this time is a double click, or a person who waits for the email. */
const repeatMs = 60_000

/**
 * Emails a link that sets a new password, when the address has an account. For an unknown address,
 * and beyond the limits, the reply is the same and so is the work: the same email is written and
 * deleted again. A request within a minute of the last one sends nothing: its link would end the
 * one that was just sent. Beyond the account's limit, the newest link is still in the mailbox and
 * works. A known device has a limit of its own, so strangers' requests do not block it.
 * @param options.devices the tokens of this browser
 */
export async function requestPasswordReset(
  ctx: Context,
  { email }: { email: string },
  { origin, devices = [] }: { origin: string; devices?: DeviceTokens },
): Promise<void> {
  const account = normalizeEmail(email)
  const credentials = await findCredentials(ctx.db, hashEmail(ctx, account))
  const device = await findKnownDevice(ctx, credentials?.id ?? null, devices)
  const isAllowed = device
    ? await tryConsumeRate(ctx, 'reset', device.tokenHash)
    : (await tryConsumeRate(ctx, 'reset-address', ctx.clientAddress)) &&
      (await tryConsumeRate(ctx, 'reset', account))
  await inTransaction(ctx, async (ctx) => {
    const found = await findCredentials(ctx.db, hashEmail(ctx, account))
    // A suspended account gets no link, like an unknown address.
    const owner = isAllowed && !found?.suspendedAt ? found : null
    const user = (await wasJustSent(ctx, owner?.id ?? newId(ctx.now.getTime()))) ? null : owner
    const userId = user?.id ?? newId(ctx.now.getTime())
    const token = user
      ? await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
      : await createDummyToken(ctx, userId)
    const mailId = await queueMail(ctx, {
      // The account's own address: a typed one can be equal under normalization and still be
      // another person's mailbox.
      to: { address: (await findEmail(ctx, userId)) ?? email },
      template: 'reset-password',
      props: {
        link: origin + serverPaths.resetPasswordWith(token),
        minutes: lifetimeMinutes('reset-password'),
      },
    })
    if (!user) await deleteMail(ctx.db, mailId)
  })
}

/** Locks the user: of two requests at once, the second waits and finds the first one's token. */
async function wasJustSent(ctx: Context, userId: string): Promise<boolean> {
  await lockUser(ctx.db, userId)
  const since = new Date(ctx.now.getTime() - repeatMs)
  return hasTokenSince(ctx.db, { userId, purpose: 'reset-password', since })
}

/** Does the work of creating a token, without storing a row. */
async function createDummyToken(ctx: Context, userId: string): Promise<string> {
  await lockUser(ctx.db, userId)
  await deleteOneTimeTokens(ctx.db, { userId, purpose: 'reset-password' })
  return newToken()
}
