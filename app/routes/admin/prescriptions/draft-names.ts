import type { ReviewCase } from '#domain/dispensing/review-case.ts'

type NamedIn = Pick<ReviewCase, 'lines' | 'prescriptions' | 'otherItems'>

/** What each form with a draft asks for. A `notePart` begins with the form's name. */
const notes: Readonly<Record<string, string>> = {
  refuse: 'reason for refusing',
  ask: 'question about',
  noteCall: 'note of a call about',
  didNotLeave: 'reason for releasing',
  reject: 'reason for rejecting',
  closeItem: 'note on closing',
}

/** A part of a case's draft in words: "the question about Lisinopril". */
export function draftName(part: string, { lines, prescriptions, otherItems }: NamedIn): string {
  const [form = '', subject] = part.split(' ')
  const id = subject ?? form
  const items = [...prescriptions.flatMap((prescription) => prescription.items), ...otherItems]
  const name =
    lines.find((line) => line.id === id)?.product.name ??
    prescriptions.find((prescription) => prescription.id === id)?.rxNumber ??
    items.find((item) => item.id === id)?.medicine.substances ??
    'another entry'
  return `the ${subject === undefined ? 'transcription of' : (notes[form] ?? 'text about')} ${name}`
}
