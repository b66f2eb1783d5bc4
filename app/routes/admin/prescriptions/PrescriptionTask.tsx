import { isUndecided } from '#domain/dispensing/dispensing.ts'
import {
  caseBounds,
  type CaseItem,
  type CasePrescription,
  type ReviewCase,
} from '#domain/dispensing/review-case.ts'
import { prescriptionBounds, statusMessages } from '#domain/prescriptions/prescriptions.ts'
import { useMemo, useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CircleX, Undo2 } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { NoteDialog, type NoteRequest } from './NoteDialog.tsx'
import { PrescriptionPanel } from './PrescriptionPanel.tsx'
import { storedFields, toFormErrors, toTranscriptionInput, type Fields } from './transcription-fields.ts'
import { TranscriptionForm } from './TranscriptionForm.tsx'
import type { CaseCalls } from './use-case-calls.ts'
import { draftOf, type useCaseDraft } from './use-case-draft.ts'

type PrescriptionTaskProps = {
  reviewCase: ReviewCase
  prescription: CasePrescription
  calls: CaseCalls
  draft: ReturnType<typeof useCaseDraft>
  onSaved: () => void
}

const closeReasonLabels = {
  revoked: 'Revoked by the prescriber',
  transferred: 'Transferred to another pharmacy',
  replaced: 'Replaced by another prescription',
} as const
type CloseReason = keyof typeof closeReasonLabels
const isCloseReason = (text: string): text is CloseReason => Object.hasOwn(closeReasonLabels, text)

/** Common reasons for rejecting a file, which the customer reads. */
const rejectionReasons = [
  'The file is not legible.',
  'The signature is missing.',
  'The name doesn’t match the ID document.',
  'Strength or quantity is missing.',
]

/** Transcribing a prescription, changing its transcription, or rejecting its file. */
export function PrescriptionTask({ reviewCase, prescription, calls, draft, onSaved }: PrescriptionTaskProps) {
  const { id, version, transcription, status } = prescription
  const { patient, lines, readOnlyReason } = reviewCase
  const utils = trpc.useUtils()
  const saveTranscription = trpc.cases.transcribe.useMutation()
  const closeItem = trpc.cases.closeItem.useMutation()
  const decide = trpc.prescriptions.decide.useMutation()
  const [stored] = useState(() => draftOf(reviewCase.draft, id))
  const [isEditing, setEditing] = useState(stored !== null || (!transcription && status === 'under_review'))
  const [sent, setSent] = useState<Fields>({})
  const refused = calls.errorsOf(id)
  const errors = useMemo(() => toFormErrors(refused, sent), [refused, sent])
  const [decisionError, setDecisionError] = useState<string | null>(null)
  const [dialog, setDialog] = useState<NoteRequest | null>(null)
  const isForm = isEditing && readOnlyReason === null
  const openLines = lines.filter(
    (line) => isUndecided(line.status) && line.itemId === null && line.prescriptionId === id,
  )

  const save = async (fields: Fields): Promise<void> => {
    setSent(fields)
    const input = toTranscriptionInput(fields, { prescriptionId: id, version, caseId: reviewCase.id })
    if (!(await calls.run(id, () => saveTranscription.mutateAsync(input)))) return
    draft.change(id, null)
    setEditing(false)
    showToast({ kind: 'success', title: `Transcribed: ${prescription.rxNumber}` })
    onSaved()
  }
  const decideOnFile = async (to: 'rejected' | 'under_review', statusReason?: string): Promise<void> => {
    setDecisionError(null)
    try {
      await decide.mutateAsync({
        id,
        version,
        status: to,
        ...(statusReason !== undefined && { statusReason }),
      })
    } catch (error) {
      const { fields, message } = toCallFailure(error)
      await utils.cases.get.invalidate({ id: reviewCase.id })
      return setDecisionError(Object.values(fields)[0] ?? message)
    }
    setDialog(null)
    showToast({ kind: 'success', title: `${statusMessages[to].label}: ${prescription.rxNumber}` })
    onSaved()
    await utils.cases.get.invalidate({ id: reviewCase.id })
  }
  const close = async (item: CaseItem, reason: CloseReason, note: string): Promise<void> => {
    const input = { itemId: item.id, version: item.version, reason, note }
    if (await calls.run(id, () => closeItem.mutateAsync(input))) setDialog(null)
  }
  const problem = calls.problemOf(id)
  return (
    <>
      <PrescriptionPanel
        prescription={prescription}
        form={
          isForm ? (
            <>
              <TranscriptionForm
                prescription={prescription}
                patientName={patient.name}
                initial={stored ?? storedFields(prescription)}
                itemCount={Math.max(1, openLines.length)}
                isBusy={calls.isBusy}
                errors={errors}
                problem={dialog ? null : problem}
                onChange={(fields) => draft.change(id, fields)}
                onSave={(fields) => void save(fields)}
                onCancel={transcription ? () => setEditing(false) : null}
              />
              <p className="text-muted" role="status">
                {draft.state === 'saved' ? 'Draft saved.' : null}
                {draft.state === 'failed' ? 'The draft could not be saved. Check your connection.' : null}
              </p>
            </>
          ) : null
        }
        actions={
          readOnlyReason === null ? (
            <Button type="button" onClick={() => setEditing(true)}>
              <Pencil /> {transcription ? 'Change the transcription' : 'Transcribe'}
            </Button>
          ) : null
        }
        onCloseItem={
          readOnlyReason === null
            ? (item: CaseItem) =>
                setDialog({
                  title: `Close ${item.medicine.substances}`,
                  explanation: 'Nothing more is dispensed on it. Cleared lines go back to the queue.',
                  label: 'Note',
                  field: 'note',
                  maxLength: caseBounds.note,
                  submitLabel: 'Close item',
                  submitKind: 'danger',
                  choice: { label: 'Reason', options: closeReasonLabels },
                  onSubmit: (note, reason) => isCloseReason(reason) && void close(item, reason, note),
                })
            : null
        }
      />
      {readOnlyReason === null && status === 'under_review' ? (
        <Button
          type="button"
          kind="quiet"
          onClick={() =>
            setDialog({
              title: 'Reject prescription',
              explanation: `${patient.name} will read the reason on their prescriptions page. The email only says that the prescription was reviewed.`,
              label: 'Reason',
              field: 'statusReason',
              maxLength: prescriptionBounds.statusReason,
              submitLabel: 'Reject',
              submitKind: 'danger',
              suggestions: rejectionReasons,
              onSubmit: (reason) => void decideOnFile('rejected', reason),
            })
          }
        >
          <CircleX /> Reject this file
        </Button>
      ) : null}
      {readOnlyReason === null && status === 'rejected' ? (
        <Button type="button" kind="quiet" onClick={() => void decideOnFile('under_review')}>
          <Undo2 /> Review again
        </Button>
      ) : null}
      <NoteDialog
        request={dialog}
        isBusy={calls.isBusy || decide.isPending}
        error={decisionError ?? Object.values(refused)[0] ?? problem ?? undefined}
        onClose={() => setDialog(null)}
      />
    </>
  )
}
