import { listSettings } from '#db/settings/settings.ts'
import { settingsSchema, type Settings } from '#domain/settings/settings.ts'
import type { Context } from '../context.ts'

/** The shop's settings as they are now. */
export const getSettings = async (ctx: Pick<Context, 'db' | 'shop'>): Promise<Settings> =>
  parseSettings(ctx, await listSettings(ctx.db))

/**
 * The settings of stored values. The environment decides the retention period until an admin saves
 * it on the settings page.
 */
export function parseSettings({ shop }: Pick<Context, 'shop'>, stored: Record<string, string>): Settings {
  const values = Object.entries(stored).map(([name, value]) => [name, JSON.parse(value)])
  return settingsSchema.parse({ retentionYears: shop.recordRetentionYears, ...Object.fromEntries(values) })
}
