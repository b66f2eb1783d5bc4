import { listSettings } from '#db/settings/settings.ts'
import { settingsSchema, type Settings } from '#domain/settings/settings.ts'
import type { Context } from '../context.ts'

/** The shop's settings as they are now. */
export async function getSettings(ctx: Pick<Context, 'db'>): Promise<Settings> {
  const stored = Object.entries(await listSettings(ctx.db)).map(([name, value]) => [name, JSON.parse(value)])
  return settingsSchema.parse(Object.fromEntries(stored))
}
