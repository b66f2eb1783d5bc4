import { countLicensedPharmacists } from '#db/accounts/pharmacist-licenses.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { describeSetting } from '#domain/settings/setting-labels.ts'
import type { SettingName, Settings } from '#domain/settings/settings.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from './get-settings.ts'
import { replaceSetting } from './replace-setting.ts'

export const tooFewPharmacists =
  'This needs two active pharmacists with a recorded license. Record the licenses on their user pages.'

/**
 * Changes settings of the shop and returns all of them. What equals `before`, the values that the
 * admin saw, stays. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, INVALID, and CONFLICT with
 * the fields that another admin has changed since.
 */
export async function saveSettings(
  ctx: Context,
  { changes, before }: { changes: Partial<Settings>; before: Partial<Settings> },
): Promise<Settings> {
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  return inTransaction(ctx, async (ctx) => {
    const changed = (Object.keys(changes) as SettingName[]).filter(
      (name) => JSON.stringify(changes[name]) !== JSON.stringify(before[name]),
    )
    if (changed.includes('twoPharmacists') && changes.twoPharmacists) await requireTwoPharmacists(ctx)
    const stale: SettingName[] = []
    for (const name of changed) {
      const [from, to] = [before[name], changes[name]]
      if (from === undefined || to === undefined) throw new AppError('BAD_REQUEST')
      if (!(await replaceSetting(ctx, name, { before: from, after: to }))) stale.push(name)
    }
    if (stale.length > 0) throw staleSettings(await getSettings(ctx), stale)
    if (changed.length > 0) await recordAudit(ctx, { action: 'settings.changed', subjectId: shopSubjectId })
    return getSettings(ctx)
  })
}

async function requireTwoPharmacists(ctx: Context): Promise<void> {
  if ((await countLicensedPharmacists(ctx.db)) >= 2) return
  throw new AppError('INVALID', tooFewPharmacists, { fields: { twoPharmacists: tooFewPharmacists } })
}

/** Names each setting's current value, so that the admin can decide whether to replace it. */
function staleSettings(current: Settings, names: readonly SettingName[]): AppError {
  const sentence = (name: SettingName): string =>
    `Another admin changed this to ${describeSetting(name, current[name])}. Save again to replace it.`
  return new AppError('CONFLICT', 'Another admin has changed these settings.', {
    fields: Object.fromEntries(names.map((name) => [name, sentence(name)])),
  })
}
