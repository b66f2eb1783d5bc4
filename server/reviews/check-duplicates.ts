import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import type { TranscriptionInput } from '#domain/dispensing/case-inputs.ts'
import type { PossibleDuplicate } from '#domain/dispensing/case-prescription.ts'
import { duplicateField, isCoveredByNote } from '#domain/dispensing/duplicate-note.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { Transcription } from '#domain/dispensing/prescription-item.ts'
import { addedMedicine, medicineOf, type ItemToCheck } from '#domain/dispensing/transcription-rules.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { findPossibleDuplicates } from './possible-duplicates.ts'

type Typed = {
  input: TranscriptionInput
  items: readonly ItemToCheck[]
  /** All items of the account. */
  allItems: readonly Item[]
  /** Null for a file that was not transcribed yet. */
  earlier: Transcription | null
}

/**
 * The prescriptions that this one may be a copy of, and by field those that no note covers. A note
 * covers what its pharmacist saw: the prescriptions that the form listed, and what was transcribed
 * then. One that was uploaded since needs another note. `key` is the customer's.
 */
export async function checkDuplicates(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  row: PrescriptionRow,
  { input, items, allItems, earlier }: Typed,
): Promise<{ errors: Record<string, string>; coveredIds: string[] }> {
  const { prescriberName, writtenOn } = input
  const find = (medicines: readonly Medicine[]): Promise<PossibleDuplicate[]> =>
    findPossibleDuplicates(ctx, key, row, {
      items: allItems,
      content: { prescriberName, writtenOn, medicines },
    })
  const found = await find(items.flatMap((item) => medicineOf(item) ?? []))
  const seen = new Set(input.duplicatesSeen)
  const coveredIds = found.flatMap(({ prescriptionId: id }) => (seen.has(id) ? [id] : []))
  const decision = earlier?.duplicate ?? null
  if (isNewNote(input, decision)) {
    return { errors: toErrors(found.filter(({ prescriptionId }) => !seen.has(prescriptionId))), coveredIds }
  }
  const unseen = found.filter((each) => !isCoveredByNote(decision, each))
  if (unseen.length > 0 || !decision) {
    return { errors: toErrors(unseen, decision && 'other prescriptions'), coveredIds }
  }
  const isSameSource =
    earlier?.writtenOn === writtenOn && fold(earlier.prescriberName) === fold(prescriberName)
  const changed = isSameSource ? await find(items.flatMap((item) => addedMedicine(item) ?? [])) : found
  const unlike = changed.filter(({ reason }) => reason === 'content')
  return {
    errors: toErrors(unlike, isSameSource ? 'other medicines' : 'another prescriber or date'),
    coveredIds,
  }
}

/** The form sends the earlier note again: it is a decision on what was transcribed then. */
export const isNewNote = (
  { duplicateNote }: Pick<TranscriptionInput, 'duplicateNote'>,
  decision: Transcription['duplicate'],
): boolean => duplicateNote !== null && duplicateNote !== decision?.note

/** All in words beside the note, and each by a field of its own, so that the form knows which. */
function toErrors(
  found: readonly PossibleDuplicate[],
  noteIsAbout: string | null = null,
): Record<string, string> {
  if (found.length === 0) return {}
  const which = `${describeAll(found)} Check whether this is a copy. If it isn’t, say why.`
  return {
    duplicateNote: noteIsAbout === null ? which : `${which} The note so far is about ${noteIsAbout}.`,
    ...Object.fromEntries(found.map((each) => [duplicateField(each.prescriptionId), describe(each)])),
  }
}

/** In words. Nothing is shown of other customers' copies, so these are counted. */
function describeAll(found: readonly PossibleDuplicate[]): string {
  const others = found.filter(({ isOtherCustomer }) => isOtherCustomer)
  if (others.length < 2) return found.map(describe).join(' ')
  const own = found.filter(({ isOtherCustomer }) => !isOtherCustomer).map(describe)
  return [...own, `${others.length} prescriptions of other customers have the same file.`].join(' ')
}

const describe = ({ reason, rxNumber, isOtherCustomer }: PossibleDuplicate): string =>
  `${isOtherCustomer ? 'Another customer’s prescription' : rxNumber} has ${reason === 'file' ? 'the same file' : 'the same prescriber, date and medicine'}.`
