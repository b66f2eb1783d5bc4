import type { ImportStatus } from '#domain/catalog/csv-imports.ts'

export const importStatusLabels: Readonly<Record<ImportStatus, string>> = {
  receiving: 'Uploading',
  received: 'Needs column mapping',
  checking: 'Checking',
  checked: 'Checked, not applied',
  applying: 'Applying',
  applied: 'Applied',
  discarded: 'Discarded',
}
