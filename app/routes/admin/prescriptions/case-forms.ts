import type { AlertChoice, NotRelevantReason } from '#domain/alerts/alert-decision.ts'
import type { CloseItemReason } from '#domain/dispensing/case-prescription.ts'
import { conflictField } from '#domain/dispensing/draft-fields.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { toIsoDay, type Fields } from './case-fields.ts'
import { toTranscriptionInput, withoutClosedItems } from './transcription-fields.ts'

/**
 * The forms of a case. Each is named by its `intent`, after the call that scripts make; without
 * scripts it is posted to the page's action (`case-action.server.ts`). Both read it by these
 * functions.
 */

const line = ({ lineId = '', version = '' }: Fields) => ({ lineId, version })

export const caseInputs = {
  clear: (fields: Fields) => {
    const [itemId = '', itemVersion = ''] = (fields['item'] ?? '').split(' ')
    const has = (name: string): boolean => Object.hasOwn(fields, name)
    return {
      ...line(fields),
      itemId,
      itemVersion,
      earlyNote: fields['earlyNote'] ?? null,
      destinationNote: fields['destinationNote'] ?? null,
      substitute: has('substitute.note')
        ? {
            prescribedCode: fields['substitute.prescribedCode'],
            offeredCode: fields['substitute.offeredCode'],
            note: fields['substitute.note'],
            agreement: { with: fields['substitute.agreement.with'] },
          }
        : null,
      weight: has('weight.kilograms')
        ? { kilograms: fields['weight.kilograms'], on: toIsoDay(fields['weight.on'] ?? '') }
        : null,
    }
  },
  decideAlert: (fields: Fields) => ({
    ...line(fields),
    alertId: fields['alertId'] ?? '',
    itemId: fields['itemId'] ?? '',
    choice: fields['choice'] as AlertChoice,
    reason: (fields['reason'] ?? '') as NotRelevantReason | '',
    note: fields['note'] ?? '',
  }),
  refuse: (fields: Fields) => ({ ...line(fields), reason: fields['reason'] ?? '' }),
  ask: (fields: Fields) => ({
    ...line(fields),
    lastMessageId: fields['lastMessageId'],
    question: fields['question'] ?? '',
  }),
  noteCall: (fields: Fields) => ({ ...line(fields), note: fields['note'] ?? '' }),
  secondCheck: line,
  reopen: line,
  didNotLeave: (fields: Fields) => ({ ...line(fields), reason: fields['reason'] ?? '' }),
  transcribe: toTranscriptionInput,
  closeItem: ({ itemId = '', version = '', reason = '', note = '' }: Fields) => ({
    itemId,
    version,
    reason: reason as CloseItemReason,
    note,
  }),
  reject: ({ prescriptionId = '', version = '', statusReason = '' }: Fields) => ({
    id: prescriptionId,
    version: Number(version),
    status: 'rejected' as const,
    statusReason,
  }),
  reviewAgain: ({ prescriptionId = '', version = '' }: Fields) => ({
    id: prescriptionId,
    version: Number(version),
    status: 'under_review' as const,
  }),
}
export type CaseIntent = keyof typeof caseInputs

export const isCaseIntent = (text: string | undefined): text is CaseIntent =>
  text !== undefined && Object.hasOwn(caseInputs, text)

/** The line, item or prescription that a form is about, which shows why it was refused. */
export const subjectOf = ({ lineId, itemId, prescriptionId }: Fields): string =>
  lineId ?? itemId ?? prescriptionId ?? ''

/**
 * What a refused form is shown with again: as it was typed, for the version it was sent for. Only
 * after a conflict does the next save replace the version that the conflict returned. The form
 * then also sends that there was one, and later refusals still show what is stored beside it.
 */
export function valuesAfterRefusal(fields: Fields, current: ReviewCase | null): Fields {
  const stored = current?.prescriptions.find(({ id }) => id === fields['prescriptionId'])
  if (!stored) return fields
  return {
    ...withoutClosedItems(fields, stored.items),
    version: String(stored.version),
    [conflictField]: 'shown',
  }
}

/** What was done, for the message after it: "Cleared: Lisinopril". */
export function doneTitle(intent: CaseIntent, fields: Fields, { lines, prescriptions }: ReviewCase): string {
  const product = lines.find(({ id }) => id === fields['lineId'])?.product.name ?? ''
  const rxNumber = prescriptions.find(({ id }) => id === fields['prescriptionId'])?.rxNumber ?? ''
  switch (intent) {
    case 'clear':
      return `Cleared: ${product}`
    case 'decideAlert':
      return fields['choice'] === 'refuse' ? `Refused: ${product}` : 'Decision recorded'
    case 'refuse':
      return `Refused: ${product}`
    case 'ask':
      return 'Question sent'
    case 'noteCall':
      return 'Note saved'
    case 'secondCheck':
      return `Checked: ${product}`
    case 'reopen':
      return `Back in the queue: ${product}`
    case 'didNotLeave':
      return `Released: ${product}`
    case 'transcribe':
      return `Transcribed: ${rxNumber}`
    case 'closeItem':
      return 'Item closed'
    case 'reject':
      return `Rejected: ${rxNumber}`
    case 'reviewAgain':
      return `Back in the queue: ${rxNumber}`
  }
}
