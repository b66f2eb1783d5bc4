import {
  confirmTotp,
  deletePendingTotp,
  deleteSecondFactor,
  findSecondFactor,
  savePendingTotp,
} from '#db/accounts/second-factors.ts'
import { markFactorVerified } from '#db/accounts/sessions.ts'
import { lockUser } from '#db/accounts/users.ts'
import { findSecurityFields } from '#db/accounts/credentials.ts'
import { isStaff } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { deleteSessionsAndSignIns } from './end-session.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { verifyCurrentPassword, verifyOwner, type OwnerProof } from './verify-owner.ts'
import { consumeCode, normalizeCode, withCodeAttempt, wrongCodeError } from './verify-second-factor.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { requireUser } from '../require-user.ts'
import { findTimeStep, isSetupOpen, newTotpSecret } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

type Support = { supportEmail: string }

/** On an account with a stranger's address, a factor would keep the address's owner out. */
async function requireConfirmedEmail(ctx: Context): Promise<void> {
  const account = await findSecurityFields(ctx.db, requireUser(ctx).id)
  if (!account?.emailConfirmedAt) {
    throw new AppError('CONFLICT', 'Confirm your email address before you set up two-step sign-in.')
  }
}

const alreadyOnError = () => new AppError('CONFLICT', 'Two-step sign-in is already on.')

/**
 * Stores a new secret of a second factor. Sign-ins do not require it until `confirmSecondFactor`
 * verifies a first code, within ten minutes. Throws what `verifyOwner` throws, and CONFLICT when it
 * is already on or the account's address is not confirmed.
 */
export async function startSecondFactor(ctx: Context, proof: OwnerProof): Promise<void> {
  const user = requireUser(ctx)
  if (user.hasSecondFactor) throw alreadyOnError()
  await requireConfirmedEmail(ctx)
  await verifyOwner(ctx, proof)
  const key = await openUserKey(ctx, user.id)
  if (!key) throw new AppError('NOT_FOUND')
  await savePendingTotp(ctx.db, {
    userId: user.id,
    sealedSecret: seal(key, bindings.totpSecret(user.id), newTotpSecret()),
    now: ctx.now,
  })
}

/** Deletes a second factor that was never turned on. */
export async function cancelSecondFactor(ctx: Context): Promise<void> {
  await deletePendingTotp(ctx.db, requireUser(ctx).id)
}

/**
 * Turns the second factor on with its first code, ends the user's other sessions and notifies the
 * user by email. Returns ten recovery codes, which cannot be read again. Throws INVALID when the
 * code is wrong, CONFLICT when setup was not started or has expired, it is already on or the
 * address is not confirmed, TOO_MANY after ten wrong codes.
 */
export async function confirmSecondFactor(
  ctx: Context,
  { code }: { code: string },
  { supportEmail }: Support,
): Promise<string[]> {
  const user = requireUser(ctx)
  return withCodeAttempt(ctx, async (ctx) => {
    const factor = await findSecondFactor(ctx.db, user.id)
    const key = await openUserKey(ctx, user.id)
    if (factor?.totpConfirmedAt) throw alreadyOnError()
    await requireConfirmedEmail(ctx)
    if (!key || !factor || factor.sealedTotpSecret === null || !isSetupOpen(factor, ctx.now)) {
      throw new AppError('CONFLICT', 'Your setup has expired. Start again.')
    }
    const secret = unseal(key, bindings.totpSecret(user.id), factor.sealedTotpSecret)
    const step = findTimeStep(secret, normalizeCode(code), ctx.now)
    if (step === null) throw wrongCodeError()
    const sealedSecret = factor.sealedTotpSecret
    if (!(await confirmTotp(ctx.db, { userId: user.id, sealedSecret, step, now: ctx.now })))
      throw alreadyOnError()
    await markFactorVerified(ctx.db, { id: user.sessionId, now: ctx.now })
    await endOtherSessions(ctx)
    await recordChange(ctx, { isOn: true, supportEmail })
    return createRecoveryCodes(ctx, user.id)
  })
}

/**
 * Replaces the recovery codes with ten new ones and ends the user's other sessions. Needs the
 * password, if there is one, and a code. Throws INVALID with the field, TOO_MANY, and CONFLICT when
 * there is no second factor.
 */
export async function renewRecoveryCodes(ctx: Context, proof: OwnerProof): Promise<string[]> {
  const user = requireUser(ctx)
  if (!user.hasSecondFactor) throw new AppError('CONFLICT', 'Two-step sign-in is off.')
  await verifyCurrentPassword(ctx, proof.currentPassword)
  return withCodeAttempt(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    await consumeCode(ctx, user.id, proof.code)
    await endOtherSessions(ctx)
    await recordAccountEvent(ctx, { action: 'recovery-codes.renewed', userId: user.id })
    return createRecoveryCodes(ctx, user.id)
  })
}

/**
 * Turns the second factor off, ends the user's other sessions and notifies the user by email. Needs
 * the password, if there is one, and a code. Does nothing when it is off. Throws INVALID with the
 * field, TOO_MANY, and CONFLICT when the shop requires it of its staff.
 */
export async function turnOffSecondFactor(
  ctx: Context,
  proof: OwnerProof,
  { supportEmail, requireAdminMfa }: Support & { requireAdminMfa: boolean },
): Promise<void> {
  const user = requireUser(ctx)
  if (isStaff(user) && requireAdminMfa) {
    throw new AppError('CONFLICT', 'Staff can’t turn off two-step sign-in.')
  }
  await verifyCurrentPassword(ctx, proof.currentPassword)
  await withCodeAttempt(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    const factor = await findSecondFactor(ctx.db, user.id)
    if (!factor?.totpConfirmedAt) return
    await consumeCode(ctx, user.id, proof.code)
    await endOtherSessions(ctx)
    await deleteSecondFactor(ctx.db, user.id)
    await recordChange(ctx, { isOn: false, supportEmail })
  })
}

/** A session that did not give the factor, or a sign-in, must not outlive a change of it. */
const endOtherSessions = (ctx: Context): Promise<void> => {
  const { id: userId, sessionId } = requireUser(ctx)
  return deleteSessionsAndSignIns(ctx, userId, sessionId)
}

async function recordChange(ctx: Context, props: Support & { isOn: boolean }): Promise<void> {
  const user = requireUser(ctx)
  const action = props.isOn ? 'second-factor.turned-on' : 'second-factor.turned-off'
  await recordAccountEvent(ctx, { action, userId: user.id })
  await queueMail(ctx, { to: { address: user.email }, template: 'second-factor-changed', props })
}
