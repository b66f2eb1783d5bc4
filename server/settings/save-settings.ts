import { saveSetting } from '#db/settings/settings.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from './get-settings.ts'

/**
 * Changes settings of the shop and returns all of them. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED.
 */
export async function saveSettings(ctx: Context, changes: Partial<Settings>): Promise<Settings> {
  requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  await inTransaction(ctx, async (ctx) => {
    for (const [name, value] of Object.entries(changes)) {
      await saveSetting(ctx.db, { name, value: JSON.stringify(value), now: ctx.now })
    }
    await recordAudit(ctx, { action: 'settings.changed', subjectId: shopSubjectId })
  })
  return getSettings(ctx)
}
