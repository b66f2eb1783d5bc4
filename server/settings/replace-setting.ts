import { insertSettingChange, listSettings, replaceSetting as replaceStored } from '#db/settings/settings.ts'
import { newId } from '#domain/ids.ts'
import type { SettingName, Settings } from '#domain/settings/settings.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { parseSettings } from './get-settings.ts'

type SettingValue = Settings[SettingName]

/**
 * Replaces the value of one setting that still has the value `before`, and records the change, in
 * the caller's transaction. False when it has another value by now.
 */
export async function replaceSetting(
  ctx: Context,
  name: SettingName,
  { before, after }: { before: SettingValue; after: SettingValue },
): Promise<boolean> {
  const [valueBefore, valueAfter] = [JSON.stringify(before), JSON.stringify(after)]
  const stored = await listSettings(ctx.db)
  if (JSON.stringify(parseSettings(ctx, stored)[name]) !== valueBefore) return false
  const change = { name, before: stored[name] ?? null, after: valueAfter, now: ctx.now }
  if (!(await replaceStored(ctx.db, change))) return false
  await insertSettingChange(ctx.db, {
    id: newId(ctx.now.getTime()),
    name,
    valueBefore,
    valueAfter,
    changedBy: requireUser(ctx).id,
    changedAt: ctx.now,
  })
  return true
}
