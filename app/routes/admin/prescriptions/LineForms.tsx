import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { caseBounds, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import type { ComponentProps, ReactNode } from 'react'
import { MessageCircle } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CircleCheck, CircleX, Phone, Undo2 } from '../../../ui/icons.tsx'
import { chargeNote } from './charge-note.ts'
import { CaseForm } from './CaseForm.tsx'
import { questionsAbout } from './LineEquivalents.tsx'
import type { CaseIntent } from './case-forms.ts'
import { NoteForm } from './NoteForm.tsx'
import type { CaseDraftEdit } from './use-case-draft.ts'
import type { CaseForms } from './use-case-forms.ts'

type LineFormsProps = { line: CaseLine; reviewCase: ReviewCase; forms: CaseForms; draft: CaseDraftEdit }

const buttonLabels = { secondCheck: 'Second check', reopen: 'Review again' } as const

/** Frequent reasons, which the customer reads. */
const refusalReasons = [
  'The prescription is for another medicine or strength.',
  'The file is not legible.',
  'The signature is missing.',
  'The name doesn’t match the ID document.',
]

/** What can be done with a line besides clearing it. */
export function LineForms({ line, reviewCase, forms, draft }: LineFormsProps) {
  const { order, patient, threads } = reviewCase
  const orderThread = threads.find(({ subjectId }) => subjectId === order?.id)
  const { id: lineId, version, product, status, fillStatus } = line
  /** A form with one text. A new version of the line closes it, unless there is a draft. */
  const noteForm = (intent: CaseIntent, texts: NoteTexts) => (
    <NoteForm
      key={`${intent} ${version}`}
      {...{ forms, draft, intent, ...texts }}
      subject={lineId}
      sends={{
        lineId,
        version,
        ...(intent === 'ask' && { lastMessageId: lastMessageIdOf(orderThread) }),
      }}
      group={`forms of ${lineId}`}
    />
  )
  /** A form that is only a button. */
  const buttonForm = (intent: 'secondCheck' | 'reopen', children: ReactNode) => (
    <CaseForm
      forms={forms}
      intent={intent}
      sends={{ lineId, version }}
      aria-label={buttonLabels[intent]}
      data-check={intent === 'secondCheck' ? '' : undefined}
    >
      <Button kind={intent === 'secondCheck' ? 'primary' : 'secondary'} disabled={forms.isBusy}>
        {children} {buttonLabels[intent]}
      </Button>
    </CaseForm>
  )
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {line.canCheck ? buttonForm('secondCheck', <CircleCheck />) : null}
      {isUndecided(status) ? (
        <>
          {noteForm('refuse', {
            opener: (
              <>
                <CircleX /> Refuse
              </>
            ),
            openerKind: 'secondary',
            explanation: [
              `${patient.name} will read the reason on the order page and won’t pay for this line.`,
              chargeNote(reviewCase, line, 'refuse'),
            ]
              .filter(Boolean)
              .join(' '),
            label: 'Reason',
            field: 'reason',
            maxLength: caseBounds.reason,
            submitLabel: `Refuse ${product.name}`,
            submitKind: 'danger',
            suggestions: refusalReasons,
          })}
          {noteForm('ask', {
            opener: (
              <>
                <MessageCircle /> Ask the customer
              </>
            ),
            explanation: `${patient.name} can read and answer it on the order page. The email says only that there is a question.`,
            label: 'Question',
            field: 'question',
            maxLength: caseBounds.question,
            submitLabel: 'Send question',
            suggestions: line.equivalents ? questionsAbout(line.equivalents) : [],
          })}
          {noteForm('noteCall', {
            opener: (
              <>
                <Phone /> Record a call
              </>
            ),
            explanation: 'Only staff can read this note.',
            label: 'Who you spoke with and what they said',
            field: 'note',
            maxLength: caseBounds.note,
            submitLabel: 'Save note',
          })}
        </>
      ) : null}
      {status === 'cleared' && fillStatus !== 'dispensed' && order?.status !== 'cancelled'
        ? buttonForm('reopen', <Undo2 />)
        : null}
      {fillStatus === 'dispensed'
        ? noteForm('didNotLeave', {
            opener: (
              <>
                <Undo2 /> Did not leave the pharmacy
              </>
            ),
            openerKind: 'secondary',
            explanation: 'The fill is released and no longer counts. Only staff can read the reason.',
            label: 'Reason',
            field: 'reason',
            maxLength: caseBounds.reason,
            submitLabel: 'Release the fill',
            submitKind: 'danger',
          })
        : null}
    </div>
  )
}

type NoteTexts = Omit<
  ComponentProps<typeof NoteForm>,
  'forms' | 'draft' | 'intent' | 'subject' | 'sends' | 'group'
>
