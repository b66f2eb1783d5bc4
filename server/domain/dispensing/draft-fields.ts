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
