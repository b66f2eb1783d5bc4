import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import type { StateScheduledDrug } from '#domain/settings/settings.ts'
import { maxStateScheduled, withDrugs, withoutDrug } from '#domain/settings/state-scheduled.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { getSettings } from './get-settings.ts'
import { replaceSetting } from './replace-setting.ts'

const invalid = (field: string, message: string): AppError =>
  new AppError('INVALID', message, { fields: { [field]: message } })

/**
 * Lists a drug as scheduled by these states. States that list it already stay. Throws
 * UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, and INVALID when all of them do or the list is full.
 */
export const addStateScheduled = (
  ctx: Context,
  { ingredient, states }: { ingredient: string; states: readonly string[] },
): Promise<void> =>
  changeList(ctx, (list) => {
    const next = withDrugs(
      list,
      states.map((state) => ({ ingredient, state })),
    )
    if (next.length === list.length) throw invalid('states', 'The list has this drug for these states.')
    if (next.length > maxStateScheduled)
      throw invalid('ingredient', `The list can have at most ${maxStateScheduled} entries.`)
    return next
  })

/**
 * Takes a drug of one state off the list, if it is there. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED.
 */
export const removeStateScheduled = (ctx: Context, drug: StateScheduledDrug): Promise<void> =>
  changeList(ctx, (list) => withoutDrug(list, drug))

/** Additions and removals do not depend on each other, so a concurrent one is no stale edit. */
async function changeList(
  ctx: Context,
  edit: (list: readonly StateScheduledDrug[]) => StateScheduledDrug[],
): Promise<void> {
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  await retryOnConflict(() =>
    inTransaction(ctx, async (ctx) => {
      const { stateScheduled: before } = await getSettings(ctx)
      const after = edit(before)
      if (after.length === before.length) return true
      if (!(await replaceSetting(ctx, 'stateScheduled', { before, after }))) return null
      await recordAudit(ctx, { action: 'settings.changed', subjectId: shopSubjectId })
      return true
    }),
  )
}
