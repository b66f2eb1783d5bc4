import { prescriptionBounds } from '#domain/prescriptions/prescriptions.ts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { beginHere } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'

/** What is said most: a start, to be written on. */
const frequent = [
  'The file is not legible.',
  'The signature is missing.',
  'The name differs from the ID document.',
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

/** Asks why: the customer reads it. */
export const RejectDialog = ({ open, patientName, onClose, ...form }: RejectDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Reject prescription">
    <p className="mb-3">
      Of <b>{patientName}</b>. They read the reason on their page; the email only says that it was reviewed.
    </p>
    <ReasonForm onClose={onClose} {...form} />
  </Dialog>
)

function ReasonForm({ isBusy, error, onReject, onClose }: Omit<RejectDialogProps, 'open' | 'patientName'>) {
  const [reason, setReason] = useState('')
  return (
    <form
      ref={beginHere}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onReject(reason)
      }}
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
      <div role="group" aria-label="Frequent reasons" className="mt-2 flex flex-wrap gap-1">
        {frequent.map((words) => (
          <Button key={words} type="button" onClick={() => setReason(words)}>
            {words}
          </Button>
        ))}
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" disabled={isBusy}>
          Reject
        </Button>
      </div>
    </form>
  )
}
