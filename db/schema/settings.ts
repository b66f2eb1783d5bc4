/** A setting of the shop that was changed; the value is JSON (`settingsSchema`). */
export type SettingsTable = { name: string; value: string; updatedAt: Date }

/** A change of a setting. Both values are JSON. */
export type SettingsHistoryTable = {
  id: string
  name: string
  valueBefore: string
  valueAfter: string
  changedBy: string
  changedAt: Date
}
