import { listSettings } from '#db/settings/settings.ts'
import { settingsSchema, type Settings } from '#domain/settings/settings.ts'
import type { Context } from '../context.ts'

/**
 * The shop's settings as they are now. The environment decides the retention period until an admin
 * saves it here.
 */
export async function getSettings(ctx: Pick<Context, 'db' | 'shop'>): Promise<Settings> {
  const stored = Object.entries(await listSettings(ctx.db)).map(([name, value]) => [name, JSON.parse(value)])
  return settingsSchema.parse({
    retentionYears: ctx.shop.recordRetentionYears,
    ...Object.fromEntries(stored),
  })
}
