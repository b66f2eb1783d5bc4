import { findPharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { lockSetting } from '#db/settings/settings.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { lostChecksMessage, lostChecksQuestion } from '#domain/settings/second-checks.ts'
import { inTransaction, type Context } from '../context.ts'
import { lacksSecondPharmacist } from './count-second-checks.ts'

/**
 * Runs a change after which a user may no longer do second checks. Throws what it throws, and
 * CONFIRMATION_REQUIRED (isConfirmed), without a change, when prescription orders stop shipping and
 * the admin has not confirmed it.
 */
export const keepSecondChecks = <Result>(
  ctx: Context,
  { userId, isConfirmed }: { userId: string; isConfirmed: boolean },
  change: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  inTransaction(ctx, async (ctx) => {
    // Who has no license is not counted.
    if (!isId(userId) || !(await findPharmacistLicense(ctx.db, userId))) return change(ctx)
    // Two admins at once: each would count the other's pharmacist. Before any user is locked.
    await lockSetting(ctx.db, 'twoPharmacists')
    const couldCheck = !(await lacksSecondPharmacist(ctx))
    const result = await change(ctx)
    if (couldCheck && !isConfirmed && (await lacksSecondPharmacist(ctx))) throw unconfirmedLoss()
    return result
  })

export const unconfirmedLoss = (): AppError =>
  new AppError('CONFIRMATION_REQUIRED', lostChecksQuestion, { fields: { isConfirmed: lostChecksMessage } })
