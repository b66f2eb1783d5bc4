import { isUndecided } from './dispensing.ts'
import type { ReviewCase } from './review-case.ts'

type Fields = Readonly<Record<string, string>>

/**
 * A case's draft has a part for each form, whose fields are under the part's name: for a
 * transcription the prescription's id, for a reason or a note what `notePart` returns.
 */
const prefixOf = (part: string): string => `${part}.`

/**
 * The part of a form with a reason, a question or a note.
 * @param subject the id of the line, item or prescription
 */
export const notePart = (intent: string, subject: string): string => `${intent} ${subject}`

/** The fields of one part; empty without any. */
export function draftPart(fields: Fields, part: string): Fields {
  const prefix = prefixOf(part)
  const own = Object.entries(fields).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

export const hasFields = (fields: Fields): boolean => Object.keys(fields).length > 0

/** A draft with other fields in one part. Without fields the part is removed. */
export function withDraftPart(fields: Fields, part: string, changed: Fields): Record<string, string> {
  const prefix = prefixOf(part)
  const others = Object.entries(fields).filter(([name]) => !name.startsWith(prefix))
  const own = Object.entries(changed).map(([name, value]) => [prefix + name, value])
  return Object.fromEntries([...others, ...own])
}

/** Sent by a transcription that was refused for a conflict. */
export const conflictField = 'conflict'

/** The keys of the medicines that a transcription's form shows, some of them still empty. */
export const shownItemsField = 'shownItems'

/** What a form was opened with. */
const openedFields: readonly string[] = ['version', conflictField]
/** A part with nothing else has nothing that was typed. */
const untypedFields: readonly string[] = [...openedFields, shownItemsField]

/**
 * What a save replaces as one: a note with its choice, a medicine of a transcription, or one field
 * of it with its details. Fields of two medicines must never become one. Null: it is not typed.
 */
export function draftPiece(name: string): string | null {
  const [part = '', field = '', key = ''] = name.split('.')
  if (part.includes(' ')) return part
  if (openedFields.includes(field)) return null
  return field === 'items' ? `${prefixOf(part)}items.${key}` : prefixOf(part) + field
}

/** The part of a piece. */
export const partOfPiece = (piece: string): string => piece.split('.')[0] ?? ''

/** The pieces that two versions of a part have differently. Blank and missing are the same. */
export function changedPieces(part: string, before: Fields, after: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const pieces = names
    .filter((name) => (before[name] ?? '') !== (after[name] ?? ''))
    .flatMap((name) => draftPiece(prefixOf(part) + name) ?? [])
  return [...new Set(pieces)]
}

export const isSameFields = (one: Fields, other: Fields): boolean =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name])

const isIn = (name: string, piece: string): boolean => name === piece || name.startsWith(prefixOf(piece))

/**
 * A stored draft with what one of its pharmacist's tabs has changed. Other pieces stay as another
 * tab saved them. A part that was typed for another version of its transcription is replaced whole.
 * @param sent what the tab has, at least of the changed parts
 * @param changed pieces, or whole parts
 */
export function mergeDraft(stored: Fields, sent: Fields, changed: readonly string[]): Record<string, string> {
  let merged = { ...stored }
  for (const part of new Set(changed.map(partOfPiece))) {
    const typed = draftPart(sent, part)
    const { version } = draftPart(merged, part)
    const isReplaced = changed.includes(part) || (hasFields(typed) && typed['version'] !== version)
    const isChanged = ([name]: [string, string]): boolean =>
      isReplaced ? isIn(name, part) : changed.some((piece) => isIn(name, piece))
    const own = Object.entries(sent).filter((field) => isIn(field[0], part) && isChanged(field))
    merged = Object.fromEntries([...Object.entries(merged).filter((field) => !isChanged(field)), ...own])
    const left = Object.keys(draftPart(merged, part))
    if (left.every((name) => untypedFields.includes(name))) merged = withDraftPart(merged, part, {})
  }
  return merged
}

/**
 * A draft without the reasons and notes that have no form in the case any more, because their line,
 * item or prescription was decided. Transcriptions stay: a rejected file can return to review.
 * @param otherItems active ones: they keep their form while it has a draft
 */
export function withOpenParts(
  fields: Fields,
  { lines, prescriptions, otherItems }: Pick<ReviewCase, 'lines' | 'prescriptions' | 'otherItems'>,
): Record<string, string> {
  const open = new Set([
    ...lines.flatMap(({ id, status, fillStatus }) => [
      ...(isUndecided(status) ? ['refuse', 'ask', 'noteCall'].map((intent) => notePart(intent, id)) : []),
      ...(fillStatus === 'dispensed' ? [notePart('didNotLeave', id)] : []),
    ]),
    ...prescriptions.flatMap(({ id, status }) => (status === 'under_review' ? [notePart('reject', id)] : [])),
    ...[...prescriptions.flatMap(({ items }) => items), ...otherItems]
      .filter(({ status }) => status === 'active')
      .map(({ id }) => notePart('closeItem', id)),
  ])
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => {
      const [part = ''] = name.split('.')
      return !part.includes(' ') || open.has(part)
    }),
  )
}
