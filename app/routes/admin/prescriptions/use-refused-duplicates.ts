import { duplicateErrors } from '#domain/dispensing/duplicate-note.ts'
import { useState } from 'react'
import type { Fields } from './case-fields.ts'

/**
 * The possible duplicates that refused a save, by field, each with its sentence. They stay after
 * later refusals, which don't name them again: the pharmacist has seen them, and the note is
 * about them.
 * @param initial what was posted without scripts, which includes those of earlier refusals
 */
export function useRefusedDuplicates(initial: Fields, errors: Fields) {
  const [known, setKnown] = useState(() => duplicateErrors(initial))
  const refused = { ...known, ...duplicateErrors(errors) }
  if (Object.keys(refused).length > Object.keys(known).length) setKnown(refused)
  return { refused, forget: () => setKnown({}) }
}
