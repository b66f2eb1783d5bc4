import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSecondFactor } from '#db/accounts/second-factors.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { lockUser, markEmailConfirmed, setSuspended } from '#db/accounts/users.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { grantAdmin } from './grant-admin.ts'
import { notifyAdmins } from './notify-admins.ts'
import { createOneTimeToken, lifetimeMinutes } from './one-time-token.ts'
import { recordAccountEvent } from './record-account-event.ts'

/**
 * Lets one account into the back office when the usual ways in are closed
 * (45 CFR 164.312(a)(2)(ii)), from the command line of the shop. The account becomes an active
 * admin without a second factor and without sessions. Returns the link that sets its password,
 * which replaces the mail and the identity provider. The audit log has the reason, and every admin
 * gets a mail. Throws NOT_FOUND.
 */
export const grantEmergencyAccess = (
  ctx: Context,
  { email, reason }: { email: string; reason: string },
): Promise<{ link: string; minutes: number }> =>
  inTransaction(ctx, async (ctx) => {
    const user = await findCredentials(ctx.db, hashEmail(ctx, email))
    if (!user) throw new AppError('NOT_FOUND', `${email} doesn’t have an account.`)
    const userId = user.id
    await lockUser(ctx.db, userId)
    await grantAdmin(ctx, email)
    await setSuspended(ctx.db, userId, null)
    // The operator knows the person. An unconfirmed address could not set up a second factor.
    await markEmailConfirmed(ctx.db, { id: userId, now: ctx.now })
    await deleteSecondFactor(ctx.db, userId)
    await deleteUserSessions(ctx.db, { userId })
    await deleteEntryTokens(ctx.db, userId)
    const token = await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
    await recordAccountEvent(ctx, { action: 'access.emergency', userId, actorId: null, detail: { reason } })
    await notifyAdmins(ctx, {
      subject: 'Emergency access to the shop was used',
      text: [
        `At ${ctx.now.toISOString()}, a person with access to the server gave ${email} emergency access.`,
        'The account is now an admin, its two-step sign-in was removed, and a link to set its password was created.',
        `If you weren’t expecting this, contact ${ctx.shop.supportEmail} immediately and end the account’s sessions.`,
      ].join('\n\n'),
    })
    return {
      link: ctx.shop.publicOrigin + serverPaths.resetPasswordWith(token),
      minutes: lifetimeMinutes('reset-password'),
    }
  })
