import { settingChangesSchema } from '#domain/settings/settings.ts'
import { getSettings } from '../settings/get-settings.ts'
import { saveSettings } from '../settings/save-settings.ts'
import { procedureFor, router } from './init.ts'

export const settingsRouter = router({
  get: procedureFor('settings.write').query(({ ctx }) => getSettings(ctx)),
  save: procedureFor('settings.write')
    .input(settingChangesSchema)
    .mutation(({ ctx, input }) => saveSettings(ctx, input)),
})
