import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { conflictField } from '#domain/dispensing/draft-fields.ts'
import { useState } from 'react'
import type { Fields } from './case-fields.ts'
import { storedFields, untranscribed } from './transcription-fields.ts'

type Start = {
  /** What a refused save sent, with the versions that the next save replaces. */
  refused: Fields | null
  /** The draft that the case was read with. */
  draft: Fields | null
  isOpen: boolean
}

/**
 * An edit of a transcription: the fields that its form shows, and the version that its save
 * replaces. A case that is read again can have another pharmacist's version and values, which must
 * not get into an edit that did not see them. Null fields: nothing is edited.
 */
export function useTranscriptionEdit(prescription: CasePrescription, { refused, draft, isOpen }: Start) {
  const [fields, setFields] = useState(() => refused ?? draft ?? (isOpen ? storedFields(prescription) : null))
  if (fields && refused && refused !== fields) setFields(refused)
  const current = String(prescription.version)
  // While nothing is transcribed, a save replaces nothing: an undone rejection is no conflict. A
  // draft of an earlier release has no version, and can be older than what is transcribed.
  const version = prescription.transcription ? (fields?.['version'] ?? untranscribed) : current
  return {
    fields,
    /** The version that a save replaces. */
    version,
    /**
     * The version that a draft is for. Each question and message raises the prescription's: without
     * a transcription, two tabs with two of those versions still type the same one.
     */
    draftVersion: prescription.transcription ? version : untranscribed,
    /** Whether the prescription was changed since the edit was opened. */
    isStale: fields !== null && (fields[conflictField] !== undefined || version !== current),
    open: () => setFields(storedFields(prescription)),
    close: () => setFields(null),
  }
}
