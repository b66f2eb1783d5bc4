import type { PossibleDuplicate } from './case-prescription.ts'
import type { Transcription } from './prescription-item.ts'

/** The field of an error about one possible duplicate. */
export const duplicateField = (prescriptionId: string): string => `duplicate-${prescriptionId}`

/** The prescription of such a field; null for any other field. */
const duplicateOf = (field: string): string | null => /^duplicate-(.+)$/.exec(field)?.[1] ?? null

/** The errors about possible duplicates, by field. */
export const duplicateErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => duplicateOf(field) !== null))

/** The possible duplicates that errors name. */
export const duplicatesOf = (errors: Readonly<Record<string, string>>): string[] =>
  Object.keys(errors).flatMap((field) => duplicateOf(field) ?? [])

/**
 * Whether a note's pharmacist saw this prescription. Notes from before they named prescriptions are
 * about those that were uploaded by then.
 */
export const isCoveredByNote = (
  note: Transcription['duplicate'],
  { prescriptionId, uploadedAt }: Pick<PossibleDuplicate, 'prescriptionId' | 'uploadedAt'>,
): boolean => note !== null && (note.prescriptionIds?.includes(prescriptionId) ?? uploadedAt <= note.at)
