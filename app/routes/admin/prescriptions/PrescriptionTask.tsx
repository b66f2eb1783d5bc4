import { isUndecided } from '#domain/dispensing/dispensing.ts'
import {
  closeReasonLabels,
  type CaseItem,
  type CasePrescription,
} from '#domain/dispensing/case-prescription.ts'
import { caseBounds, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { draftPart, hasFields } from '#domain/dispensing/draft-fields.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { prescriptionBounds } from '#domain/prescriptions/prescriptions.ts'
import { useMemo } from 'react'
import { flushSync } from 'react-dom'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { CircleX, Undo2 } from '../../../ui/icons.tsx'
import { CaseForm } from './CaseForm.tsx'
import { DraftState } from './DraftState.tsx'
import { NoteForm } from './NoteForm.tsx'
import { PrescriptionPanel } from './PrescriptionPanel.tsx'
import { StoredNow } from './StoredNow.tsx'
import { toFormErrors } from './transcription-fields.ts'
import { TranscriptionForm } from './TranscriptionForm.tsx'
import type { CaseForms } from './use-case-forms.ts'
import { useRefusedDuplicates } from './use-refused-duplicates.ts'
import type { CaseDraftEdit } from './use-case-draft.ts'
import { useTranscriptionEdit } from './use-transcription-edit.ts'

type PrescriptionTaskProps = {
  reviewCase: ReviewCase
  prescription: CasePrescription
  forms: CaseForms
  draft: CaseDraftEdit
  /** Whether the URL opens the transcription to change it. */
  isEdited: boolean
}

/** Common reasons for rejecting a file, which the customer reads. */
const rejectionReasons = [
  'The file is not legible.',
  'The signature is missing.',
  'The name doesn’t match the ID document.',
  'Strength or quantity is missing.',
]

/** Transcribing a prescription, changing its transcription, or rejecting its file. */
export function PrescriptionTask({
  reviewCase,
  prescription,
  forms,
  draft,
  isEdited,
}: PrescriptionTaskProps) {
  const { id, version, transcription, status, rxNumber } = prescription
  const { id: caseId, patient, lines, readOnlyReason } = reviewCase
  const drafted = draftPart(reviewCase.draft?.fields ?? {}, id)
  const posted = forms.failureOf('transcribe', id)
  const edit = useTranscriptionEdit(prescription, {
    refused: posted?.values ?? null,
    draft: hasFields(drafted) ? drafted : null,
    isOpen: isEdited || (!transcription && status === 'under_review'),
  })
  const errors = useMemo(() => (posted ? toFormErrors(posted.fields, posted.values) : {}), [posted])
  const duplicates = useRefusedDuplicates(edit.fields ?? {}, errors)
  const canDecide = readOnlyReason === null
  const openLines = lines.filter(
    (line) => isUndecided(line.status) && line.itemId === null && line.prescriptionId === id,
  )
  const formId = `transcription-of-${id}`
  const openerId = `transcribe-${id}`
  const open = (): void => {
    flushSync(edit.open)
    document.getElementById(formId)?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus()
  }
  const cancel = (): void => {
    forms.forget('transcribe', id)
    flushSync(edit.close)
    document.getElementById(openerId)?.focus()
    draft.discard(id)
  }
  const sends = { prescriptionId: id, version }
  return (
    <>
      <PrescriptionPanel
        prescription={prescription}
        refusedDuplicates={edit.fields ? duplicates.refused : {}}
        stored={
          edit.isStale && canDecide ? (
            <StoredNow prescription={prescription} isAfterSave={posted !== null} />
          ) : null
        }
        form={
          edit.fields && canDecide ? (
            <>
              <TranscriptionForm
                id={formId}
                forms={forms}
                caseId={caseId}
                prescription={prescription}
                patientName={prescription.dependantName ?? patient.name}
                initial={edit.fields}
                version={edit.version}
                draftVersion={edit.draftVersion}
                itemCount={Math.max(1, openLines.length)}
                errors={errors}
                refusedDuplicates={duplicates.refused}
                options={posted?.options ?? {}}
                draftedMedicines={reviewCase.draft?.medicines ?? {}}
                onChange={(fields, opened) => draft.change(id, fields, opened)}
                onSaved={() => {
                  draft.forget(id)
                  duplicates.forget()
                  edit.close()
                }}
                onCancel={transcription ? cancel : null}
              />
              <DraftState state={draft.stateOf(id)} />
            </>
          ) : null
        }
        actions={
          canDecide ? (
            <LinkButton
              to={adminPaths.prescriptionsWith({ id: caseId, edit: id })}
              id={openerId}
              onClick={(event) => {
                event.preventDefault()
                open()
              }}
            >
              <Pencil /> {transcription ? 'Change the transcription' : 'Transcribe'}
            </LinkButton>
          ) : null
        }
        renderCloseForm={
          canDecide
            ? (item) => <CloseItem key={item.version} item={item} forms={forms} draft={draft} />
            : null
        }
      />
      {canDecide && status === 'under_review' ? (
        <NoteForm
          key={version}
          forms={forms}
          draft={draft}
          intent="reject"
          subject={id}
          sends={sends}
          group={`forms of ${id}`}
          openerKind="edge"
          opener={
            <>
              <CircleX /> Reject this file
            </>
          }
          explanation={`${patient.name} will read the reason on their prescriptions page. The email only says that the prescription was reviewed.`}
          label="Reason"
          field="statusReason"
          maxLength={prescriptionBounds.statusReason}
          submitLabel={`Reject ${rxNumber}`}
          submitKind="danger"
          suggestions={rejectionReasons}
        />
      ) : null}
      {canDecide && status === 'rejected' ? (
        <CaseForm forms={forms} intent="reviewAgain" sends={sends}>
          <Button kind="quiet" disabled={forms.isBusy}>
            <Undo2 /> Review again
          </Button>
        </CaseForm>
      ) : null}
    </>
  )
}

type CloseItemProps = { item: CaseItem; forms: CaseForms; draft: CaseDraftEdit }

/** Closes an item for good. Why it was refused is shown with it. */
export const CloseItem = ({ item: { id, version, medicine }, forms, draft }: CloseItemProps) => {
  const problem = forms.problemOf(id)
  return (
    <>
      {problem ? (
        <p role="alert" className="font-medium text-error">
          {problem}
        </p>
      ) : null}
      <NoteForm
        forms={forms}
        draft={draft}
        intent="closeItem"
        subject={id}
        sends={{ itemId: id, version }}
        group={`forms of ${id}`}
        opener="Close this item"
        openerKind="edge"
        explanation="Nothing more is dispensed on it. Cleared lines go back to the queue."
        label="Note"
        field="note"
        maxLength={caseBounds.note}
        submitLabel={`Close ${medicine.substances}`}
        submitKind="danger"
        choice={{ label: 'Why', field: 'reason', options: closeReasonLabels }}
      />
    </>
  )
}
