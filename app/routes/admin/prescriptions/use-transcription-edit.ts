import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { useState } from 'react'
import type { Fields } from './case-fields.ts'
import { conflictField, storedFields } from './transcription-fields.ts'

type Start = {
  /** What a refused save sent, with the versions that the next save replaces. */
  refused: Fields | null
  /** The draft that the case was read with. */
  draft: Fields | null
  isOpen: boolean
}

/**
 * An edit of a transcription: the fields that its form shows, with the version that its save
 * replaces. A case that is read again can have another pharmacist's version and values, which must
 * not get into an edit that did not see them. Null fields: nothing is edited.
 */
export function useTranscriptionEdit(prescription: CasePrescription, { refused, draft, isOpen }: Start) {
  const [fields, setFields] = useState(() => {
    if (refused) return refused
    if (draft) return { version: unknownVersion(prescription), ...draft }
    return isOpen ? storedFields(prescription) : null
  })
  if (fields && refused && refused !== fields) setFields(refused)
  return {
    fields,
    /** Whether the prescription was changed since the edit was opened. */
    isStale:
      fields !== null &&
      (fields[conflictField] !== undefined || fields['version'] !== String(prescription.version)),
    open: () => setFields(storedFields(prescription)),
    close: () => setFields(null),
  }
}

/**
 * The version of a draft of an earlier release, which stored none. It can be older than what is
 * transcribed now, so its first save is a conflict. While nothing is transcribed, nothing can be
 * replaced.
 */
const unknownVersion = ({ version, transcription }: CasePrescription): string =>
  transcription ? '0' : String(version)
