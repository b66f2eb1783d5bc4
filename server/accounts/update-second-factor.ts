import {
  confirmTotp,
  deleteSecondFactor,
  findSecondFactor,
  insertTotpSecret,
} from '#db/accounts/second-factors.ts'
import { lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { verifyOwner, type OwnerProof } from './verify-owner.ts'
import { normalizeCode, withCodeAttempt, wrongCodeError } from './verify-second-factor.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { requireUser } from '../require-user.ts'
import { newTotpSecret, findTimeStep } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

type Support = { supportEmail: string }

const alreadyOnError = () => new AppError('CONFLICT', 'Two-step sign-in is already on.')

/**
 * Stores the secret of a second factor. Sign-ins do not require it until `confirmSecondFactor`
 * verifies a first code. A second call keeps the same secret. Throws what `verifyOwner` throws, and
 * CONFLICT when it is already on.
 */
export async function startSecondFactor(ctx: Context, proof: OwnerProof): Promise<void> {
  const user = requireUser(ctx)
  if (user.hasSecondFactor) throw alreadyOnError()
  await verifyOwner(ctx, proof)
  const key = await openUserKey(ctx, user.id)
  if (!key) throw new AppError('NOT_FOUND')
  await insertTotpSecret(ctx.db, {
    userId: user.id,
    sealedSecret: seal(key, bindings.totpSecret(user.id), newTotpSecret()),
  })
}

/** Deletes a second factor that was never turned on. */
export async function cancelSecondFactor(ctx: Context): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    const factor = await findSecondFactor(ctx.db, user.id)
    if (factor && !factor.totpConfirmedAt) await deleteSecondFactor(ctx.db, user.id)
  })
}

/**
 * Turns the second factor on with its first code and notifies the user by email. Returns ten
 * recovery codes, which cannot be read again. Throws INVALID when the code is wrong, CONFLICT when
 * setup was not started or it is already on, TOO_MANY after ten wrong codes.
 */
export async function confirmSecondFactor(
  ctx: Context,
  { code }: { code: string },
  { supportEmail }: Support,
): Promise<string[]> {
  const user = requireUser(ctx)
  return withCodeAttempt(ctx, user.id, async (ctx) => {
    const factor = await findSecondFactor(ctx.db, user.id)
    const key = await openUserKey(ctx, user.id)
    if (factor?.totpConfirmedAt) throw alreadyOnError()
    if (!key || !factor || factor.sealedTotpSecret === null) {
      throw new AppError('CONFLICT', 'Set up two-step sign-in first.')
    }
    const secret = unseal(key, bindings.totpSecret(user.id), factor.sealedTotpSecret)
    const step = findTimeStep(secret, normalizeCode(code), ctx.now)
    if (step === null) throw wrongCodeError()
    const sealedSecret = factor.sealedTotpSecret
    if (!(await confirmTotp(ctx.db, { userId: user.id, sealedSecret, step, now: ctx.now })))
      throw alreadyOnError()
    await recordChange(ctx, { isOn: true, supportEmail })
    return createRecoveryCodes(ctx, user.id)
  })
}

/**
 * Replaces the recovery codes with ten new ones. Throws what `verifyOwner` throws, and CONFLICT
 * when there is no second factor.
 */
export async function renewRecoveryCodes(ctx: Context, proof: OwnerProof): Promise<string[]> {
  const user = requireUser(ctx)
  if (!user.hasSecondFactor) throw new AppError('CONFLICT', 'Two-step sign-in is off.')
  await verifyOwner(ctx, proof)
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    await recordAudit(ctx, { action: 'second-factor.changed', subjectId: user.id })
    return createRecoveryCodes(ctx, user.id)
  })
}

/**
 * Turns the second factor off and notifies the user by email. Does nothing when it is off. Throws
 * what `verifyOwner` throws, and CONFLICT when the shop requires it for admins.
 */
export async function turnOffSecondFactor(
  ctx: Context,
  proof: OwnerProof,
  { supportEmail, requireAdminMfa }: Support & { requireAdminMfa: boolean },
): Promise<void> {
  const user = requireUser(ctx)
  if (user.isAdmin && requireAdminMfa) {
    throw new AppError('CONFLICT', 'Administrators can’t turn off two-step sign-in.')
  }
  await verifyOwner(ctx, proof)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    const factor = await findSecondFactor(ctx.db, user.id)
    if (!factor?.totpConfirmedAt) return
    await deleteSecondFactor(ctx.db, user.id)
    await recordChange(ctx, { isOn: false, supportEmail })
  })
}

async function recordChange(ctx: Context, props: Support & { isOn: boolean }): Promise<void> {
  const user = requireUser(ctx)
  await recordAudit(ctx, { action: 'second-factor.changed', subjectId: user.id })
  await queueMail(ctx, { to: { address: user.email }, template: 'second-factor-changed', props })
}
