import { deletePharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { lockSetting } from '#db/settings/settings.ts'
import { AppError } from '#domain/errors.ts'
import { changeLicense } from '../accounts/pharmacist-license.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { lacksSecondPharmacist } from './count-second-checks.ts'

/**
 * Removes a license. Without one, a pharmacist clears nothing. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, NOT_FOUND, CONFLICT, and INVALID when prescription orders stop shipping and the
 * admin has not confirmed it.
 */
export const removeLicense = (
  ctx: Context,
  { userId, isConfirmed }: { userId: string; isConfirmed: boolean },
): Promise<void> =>
  changeLicense(ctx, userId, async (ctx) => {
    // Two admins who remove licenses at once: each would count the other's as recorded.
    await lockSetting(ctx.db, 'twoPharmacists')
    const couldCheck = !(await lacksSecondPharmacist(ctx))
    if (!(await deletePharmacistLicense(ctx.db, userId))) return
    if (couldCheck && !isConfirmed && (await lacksSecondPharmacist(ctx))) {
      const message = 'Confirm that prescription orders won’t ship.'
      throw new AppError('INVALID', message, { fields: { isConfirmed: message } })
    }
    await recordAudit(ctx, { action: 'license.removed', subjectId: userId })
  })
