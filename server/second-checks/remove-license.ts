import { deletePharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { changeLicense } from '../accounts/pharmacist-license.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { keepSecondChecks } from './keep-second-checks.ts'

/**
 * Removes a license. Without one, a pharmacist clears nothing. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, NOT_FOUND, CONFLICT, and what `keepSecondChecks` throws.
 */
export const removeLicense = (
  ctx: Context,
  { userId, isConfirmed }: { userId: string; isConfirmed: boolean },
): Promise<void> =>
  keepSecondChecks(ctx, { userId, isConfirmed, permission: 'roles.manage' }, (ctx) =>
    changeLicense(ctx, userId, async (ctx) => {
      if (!(await deletePharmacistLicense(ctx.db, userId))) return
      await recordAudit(ctx, { action: 'license.removed', subjectId: userId })
    }),
  )
