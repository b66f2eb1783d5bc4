import { prescriptionBounds } from '#domain/prescriptions/prescriptions.ts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { DialogForm } from '../frame/DialogForm.tsx'

/** Common reasons; a click fills in the field, and the text can be edited. */
const frequentReasons = [
  'The file is not legible.',
  'The signature is missing.',
  'The name doesn’t match the ID document.',
  'Strength or quantity is missing.',
]

type RejectDialogProps = {
  open: boolean
  patientName: string
  isBusy: boolean
  error: string | undefined
  onReject: (reason: string) => void
  onClose: () => void
}

/** Asks for the reason, which the customer reads. */
export const RejectDialog = ({ open, patientName, onClose, ...form }: RejectDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Reject prescription">
    <p className="mb-3">
      <b>{patientName}</b> will read the reason on their prescriptions page. The email only says that the
      prescription was reviewed.
    </p>
    <ReasonForm onClose={onClose} {...form} />
  </Dialog>
)

function ReasonForm({ isBusy, error, onReject, onClose }: Omit<RejectDialogProps, 'open' | 'patientName'>) {
  const [reason, setReason] = useState('')
  return (
    <DialogForm
      onSubmit={() => onReject(reason)}
      onCancel={onClose}
      submitLabel="Reject"
      submitKind="danger"
      isDisabled={isBusy}
    >
      <TextAreaField
        label="Reason"
        name="statusReason"
        rows={3}
        required
        maxLength={prescriptionBounds.statusReason}
        value={reason}
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div role="group" aria-label="Common reasons" className="flex flex-wrap gap-1">
        {frequentReasons.map((sentence) => (
          <Button key={sentence} type="button" onClick={() => setReason(sentence)}>
            {sentence}
          </Button>
        ))}
      </div>
    </DialogForm>
  )
}
