import type { ImportStatus } from '#domain/catalog/csv-imports.ts'

export const statusWords: Readonly<Record<ImportStatus, string>> = {
  receiving: 'Uploading',
  received: 'Waits for its columns',
  checking: 'Being checked',
  checked: 'Checked, not applied',
  applying: 'Being applied',
  applied: 'Applied',
  discarded: 'Thrown away',
}
