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
import { proveOwner, type Proof } from './verify-owner.ts'
import { tryCode, wrongCode } from './verify-second-factor.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { requireUser } from '../require-user.ts'
import { newTotpSecret, stepOfCode } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

type Support = { supportEmail: string }

const isOnAlready = () => new AppError('CONFLICT', 'Two-step sign-in is on already.')

/**
 * Makes the secret of a second factor, which asks nobody until a code has shown that it works. Begun twice it is the same one.
 * Throws what `proveOwner` throws, and CONFLICT when it is on.
 */
export async function beginSecondFactor(ctx: Context, proof: Proof): Promise<void> {
  const user = requireUser(ctx)
  if (user.hasSecondFactor) throw isOnAlready()
  await proveOwner(ctx, proof)
  const key = await openUserKey(ctx, user.id)
  if (!key) throw new AppError('NOT_FOUND')
  await insertTotpSecret(ctx.db, {
    userId: user.id,
    sealedSecret: seal(key, bindings.totpSecret(user.id), newTotpSecret()),
  })
}

/** Forgets a second factor that was begun and not turned on. */
export async function cancelSecondFactor(ctx: Context): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    const factor = await findSecondFactor(ctx.db, user.id)
    if (factor && !factor.totpConfirmedAt) await deleteSecondFactor(ctx.db, user.id)
  })
}

/**
 * Turns the second factor on by its first code and mails that it is on. Returns ten recovery codes, which nobody can read again.
 * Throws INVALID when the code is not right, CONFLICT when none was begun or it is on, TOO_MANY after ten wrong codes.
 */
export async function confirmSecondFactor(
  ctx: Context,
  { code }: { code: string },
  { supportEmail }: Support,
): Promise<string[]> {
  const user = requireUser(ctx)
  return tryCode(ctx, user.id, async (ctx) => {
    const factor = await findSecondFactor(ctx.db, user.id)
    const key = await openUserKey(ctx, user.id)
    if (factor?.totpConfirmedAt) throw isOnAlready()
    if (!key || !factor || factor.sealedTotpSecret === null) {
      throw new AppError('CONFLICT', 'Please begin to set up two-step sign-in first.')
    }
    const secret = unseal(key, bindings.totpSecret(user.id), factor.sealedTotpSecret)
    const step = stepOfCode(secret, code.replace(/[\s-]/g, ''), ctx.now)
    if (step === null) throw wrongCode()
    const sealedSecret = factor.sealedTotpSecret
    if (!(await confirmTotp(ctx.db, { userId: user.id, sealedSecret, step, now: ctx.now })))
      throw isOnAlready()
    await noteChange(ctx, { isOn: true, supportEmail })
    return makeRecoveryCodes(ctx, user.id)
  })
}

/** Ten new recovery codes in place of those before. Throws what `proveOwner` throws, and CONFLICT when there is no second factor. */
export async function renewRecoveryCodes(ctx: Context, proof: Proof): Promise<string[]> {
  const user = requireUser(ctx)
  if (!user.hasSecondFactor) throw new AppError('CONFLICT', 'Two-step sign-in is off.')
  await proveOwner(ctx, proof)
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    await recordAudit(ctx, { action: 'second-factor.changed', subjectId: user.id })
    return makeRecoveryCodes(ctx, user.id)
  })
}

/**
 * Turns the second factor off and mails that it is off; turned off twice it is off. Throws what `proveOwner` throws, and CONFLICT
 * where an admin must have it.
 */
export async function turnOffSecondFactor(
  ctx: Context,
  proof: Proof,
  { supportEmail, requireAdminMfa }: Support & { requireAdminMfa: boolean },
): Promise<void> {
  const user = requireUser(ctx)
  if (user.isAdmin && requireAdminMfa) {
    throw new AppError('CONFLICT', 'Whoever administers this shop needs two-step sign-in.')
  }
  await proveOwner(ctx, proof)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    const factor = await findSecondFactor(ctx.db, user.id)
    if (!factor?.totpConfirmedAt) return
    await deleteSecondFactor(ctx.db, user.id)
    await noteChange(ctx, { isOn: false, supportEmail })
  })
}

async function noteChange(ctx: Context, props: Support & { isOn: boolean }): Promise<void> {
  const user = requireUser(ctx)
  await recordAudit(ctx, { action: 'second-factor.changed', subjectId: user.id })
  await queueMail(ctx, { to: { address: user.email }, template: 'second-factor-changed', props })
}
