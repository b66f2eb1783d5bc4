/** A setting of the shop that was changed; the value is JSON (`settingsSchema`). */
export type SettingsTable = { name: string; value: string; updatedAt: Date }
