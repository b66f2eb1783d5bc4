import { countExpiredRecords } from '#db/records/dispensing-records.ts'
import { countLicensedPharmacists } from '#db/accounts/pharmacist-licenses.ts'
import { lockSetting } from '#db/settings/settings.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isSame } from '#domain/is-same.ts'
import { addYears } from '#domain/records/dispensing-record.ts'
import { neededPharmacists } from '#domain/settings/second-checks.ts'
import { describeSetting, describeShorterRetention } from '#domain/settings/setting-labels.ts'
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
 * admin saw, stays. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, INVALID,
 * CONFIRMATION_REQUIRED (confirmedRetention) when records are kept for less time, and CONFLICT with
 * the fields that another admin has changed since.
 * @param confirmedRetention the years of the shorter retention that the admin confirmed
 */
export async function saveSettings(
  ctx: Context,
  {
    changes,
    before,
    confirmedRetention = null,
  }: { changes: Partial<Settings>; before: Partial<Settings>; confirmedRetention?: number | null },
): Promise<Settings> {
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  return inTransaction(ctx, async (ctx) => {
    const changed = (Object.keys(changes) as SettingName[]).filter(
      (name) => !isSame(changes[name], before[name]),
    )
    if (changed.includes('twoPharmacists') && changes.twoPharmacists) await requireTwoPharmacists(ctx)
    const { retentionYears = Infinity } = changes
    if (retentionYears < (before.retentionYears ?? 0) && retentionYears !== confirmedRetention)
      throw await unconfirmedRetention(ctx, retentionYears)
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
  // A change of an account at the same moment: each would see the other's facts as they were.
  await lockSetting(ctx.db, 'twoPharmacists')
  if ((await countLicensedPharmacists(ctx.db)) >= neededPharmacists) return
  throw new AppError('INVALID', tooFewPharmacists, { fields: { twoPharmacists: tooFewPharmacists } })
}

/** Says what a shorter retention deletes, so that a missing digit deletes nothing. */
async function unconfirmedRetention(ctx: Context, retentionYears: number): Promise<AppError> {
  const count = await countExpiredRecords(ctx.db, addYears(ctx.now, -retentionYears))
  const question = describeShorterRetention(retentionYears, count)
  return new AppError('CONFIRMATION_REQUIRED', question, { fields: { confirmedRetention: question } })
}

/** Names each setting's current value, so that the admin can decide whether to replace it. */
function staleSettings(current: Settings, names: readonly SettingName[]): AppError {
  const sentence = (name: SettingName): string =>
    `Another admin changed this to ${describeSetting(name, current[name])}. Save again to replace it.`
  return new AppError('CONFLICT', 'Another admin has changed these settings.', {
    fields: Object.fromEntries(names.map((name) => [name, sentence(name)])),
  })
}
