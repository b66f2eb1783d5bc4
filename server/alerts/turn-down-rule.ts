import { shopSubjectId } from '#domain/audit/audit.ts'
import { isSameRule } from '#domain/alerts/alert-report.ts'
import { AppError } from '#domain/errors.ts'
import type { ScreeningRule } from '#domain/screening/rules.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { getSettings } from '../settings/get-settings.ts'
import { replaceSetting } from '../settings/replace-setting.ts'

/** More would be a reason to look at the lists instead. */
const maxRules = 100

/**
 * Turns a rule down, so that its alerts are folded and need no decision, or up again. The change is
 * in the history of the settings. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, INVALID.
 */
export async function turnDownRule(
  ctx: Context,
  { rule, isTurnedDown }: { rule: ScreeningRule; isTurnedDown: boolean },
): Promise<void> {
  requirePermission(ctx, 'records.read')
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  await retryOnConflict(() =>
    inTransaction(ctx, async (ctx) => {
      const { turnedDownAlerts: before } = await getSettings(ctx)
      const others = before.filter((each) => !isSameRule(each, rule))
      if (isTurnedDown === others.length < before.length) return true
      if (isTurnedDown && before.length >= maxRules) {
        const message = `At most ${maxRules} rules can be downgraded.`
        throw new AppError('INVALID', message, { fields: { rule: message } })
      }
      const after = isTurnedDown ? [...before, rule] : others
      if (!(await replaceSetting(ctx, 'turnedDownAlerts', { before, after }))) return null
      await recordAudit(ctx, { action: 'settings.changed', subjectId: shopSubjectId })
      return true
    }),
  )
}
