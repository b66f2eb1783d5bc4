import { listSettingChanges as listRows, type SettingChangeRow } from '#db/settings/settings.ts'
import { isId } from '#domain/ids.ts'
import { describeDrugs, describeSetting, settingLabels } from '#domain/settings/setting-labels.ts'
import { withDrugs } from '#domain/settings/state-scheduled.ts'
import { settingsSchema, type SettingName } from '#domain/settings/settings.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

const pageSize = 50

/** A change of a setting in words. Times are ISO 8601. */
export type SettingChange = {
  id: string
  label: string
  /** "From 24 hours to 12 hours". */
  change: string
  by: string
  at: string
}

/**
 * A page of the history of the settings, or of one, newest first, and the id that the next page
 * starts before. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listSettingChanges(
  ctx: Context,
  { before, name = null }: { before: string | null; name?: SettingName | null },
): Promise<{ changes: SettingChange[]; next: string | null }> {
  requirePermission(ctx, 'settings.write')
  const start = before !== null && isId(before) ? before : null
  const rows = await listRows(ctx.db, { before: start, limit: pageSize + 1, name })
  const page = rows.slice(0, pageSize)
  const names = await getStaffNames(
    ctx,
    page.map(({ changedBy }) => changedBy),
  )
  return {
    changes: page.map((row) => ({
      id: row.id,
      label: isSettingName(row.name) ? settingLabels[row.name] : row.name,
      change: describeChange(row),
      by: names.get(row.changedBy) ?? formerStaff,
      at: row.changedAt.toISOString(),
    })),
    next: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
  }
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingLabels, name)

/** Both values in words. For the list of drugs, what was added and what was removed. */
function describeChange({ name, valueBefore, valueAfter }: SettingChangeRow): string {
  if (!isSettingName(name)) return `From ${valueBefore} to ${valueAfter}`
  const [before, after] = [parseValue(name, valueBefore), parseValue(name, valueAfter)]
  if (name !== 'stateScheduled')
    return `From ${describeSetting(name, before[name])} to ${describeSetting(name, after[name])}`
  const [removed, added] = [
    before.stateScheduled.filter(
      (drug) => withDrugs(after.stateScheduled, [drug]).length > after.stateScheduled.length,
    ),
    after.stateScheduled.filter(
      (drug) => withDrugs(before.stateScheduled, [drug]).length > before.stateScheduled.length,
    ),
  ]
  return [
    ...(added.length > 0 ? [`Added ${describeDrugs(added)}`] : []),
    ...(removed.length > 0 ? [`Removed ${describeDrugs(removed)}`] : []),
  ].join('. ')
}

const parseValue = (name: SettingName, json: string) => settingsSchema.parse({ [name]: JSON.parse(json) })
