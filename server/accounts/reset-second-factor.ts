import { deleteKnownDevices } from '#db/accounts/known-devices.ts'
import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSecondFactor, findSecondFactor } from '#db/accounts/second-factors.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { findRoles } from '#db/accounts/users.ts'
import { listRoles } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { requirePermission } from '../require-user.ts'
import { findEmail } from './find-email.ts'
import { lockActorAndUser } from './lock-actor.ts'
import { notifyAdmins } from './notify-admins.ts'
import { requireRecentCode } from './recent-code.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { reportCreations } from './report-creations.ts'

const ownFactorMessage =
  'You can’t reset your own two-step sign-in here. Change it on your security page, or ask another admin.'
const offMessage =
  'Two-step sign-in is off for this account. It was already reset, or the person never turned it on.'

/** Whether an account has a second factor. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function hasSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  requirePermission(ctx, 'roles.manage')
  return isFactorOn(ctx, userId)
}

const isFactorOn = async ({ db }: Pick<Context, 'db'>, userId: string): Promise<boolean> =>
  (await findSecondFactor(db, userId))?.totpConfirmedAt != null

/**
 * Removes the second factor of a person who has lost the phone and the recovery codes, and ends
 * everything that it opened: sessions, known devices and links into the account. The person signs
 * in with the password alone, and staff then set up a new factor (`REQUIRE_ADMIN_MFA`). The person
 * gets an email, and so does every admin when the account is staff's. The reason says how the
 * person was identified, and is kept for the audit log. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, NOT_FOUND, and CONFLICT for the caller's own account and one without a second
 * factor: of concurrent resets, one succeeds.
 */
export async function resetSecondFactor(
  ctx: Context,
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  const actor = requirePermission(ctx, 'roles.manage')
  requireRecentCode(ctx)
  if (userId === actor.id) throw new AppError('CONFLICT', ownFactorMessage)
  await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId, 'roles.manage')
    if (!(await isFactorOn(ctx, userId))) throw new AppError('CONFLICT', offMessage)
    await deleteSecondFactor(ctx.db, userId)
    await deleteUserSessions(ctx.db, { userId })
    await deleteEntryTokens(ctx.db, userId)
    await deleteKnownDevices(ctx.db, userId)
    await recordAccountEvent(ctx, { action: 'second-factor.reset', userId, detail: { reason } })
    await reportCreations(ctx, { userId, event: 'sessions' })
    await notifyOfReset(ctx, { userId, actorEmail: actor.email })
  })
}

async function notifyOfReset(
  ctx: Context,
  { userId, actorEmail }: { userId: string; actorEmail: string },
): Promise<void> {
  const address = await findEmail(ctx, userId)
  const { supportEmail } = ctx.shop
  if (address !== null)
    await queueMail(ctx, { to: { address }, template: 'second-factor-reset', props: { supportEmail } })
  const roles = (await findRoles(ctx.db, userId)) ?? []
  if (roles.length === 0) return
  await notifyAdmins(ctx, {
    subject: 'A staff account’s two-step sign-in was reset',
    text: [
      `At ${ctx.now.toISOString()}, ${actorEmail} reset the two-step sign-in of ${address ?? userId} (${listRoles(roles)}).`,
      'The account was signed out of every browser. Its next sign-in needs only the password.',
      `If you weren’t expecting this, contact ${supportEmail} immediately and suspend both accounts.`,
    ].join('\n\n'),
  })
}
