import { maxAccessReason, type AccessChange } from '#domain/accounts/account-access.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { DialogForm } from '../frame/DialogForm.tsx'
import { accessLabels } from './user-labels.ts'

type AccessDialogProps = {
  change: AccessChange | null
  /** Whose access changes: a name, or a number of users. */
  target: string
  isBusy: boolean
  error: string | undefined
  onConfirm: (change: AccessChange, reason: string) => void
  onClose: () => void
}

const explanations: Record<AccessChange, string> = {
  suspend:
    'They’ll be signed out immediately and can’t sign in until the account is restored. We’ll still process and ship their orders. We’ll email them.',
  restore: 'They can sign in again. We’ll email them.',
  'end-sessions': 'They’ll be signed out of every browser and can sign in again right away.',
}

/** Asks for the reason before an admin suspends or restores an account or ends its sessions. */
export const AccessDialog = ({ change, target, onClose, ...form }: AccessDialogProps) => (
  <Dialog
    open={change !== null}
    onClose={onClose}
    title={change ? accessLabels[change] : ''}
    role="alertdialog"
  >
    {change ? (
      <>
        <p className="mb-3">
          <b>{target}</b>
        </p>
        <p className="mb-3">{explanations[change]}</p>
        <ReasonForm change={change} onClose={onClose} {...form} />
      </>
    ) : null}
  </Dialog>
)

type ReasonFormProps = Omit<AccessDialogProps, 'change' | 'target'> & {
  change: AccessChange
}

function ReasonForm({ change, isBusy, error, onConfirm, onClose }: ReasonFormProps) {
  const [reason, setReason] = useState('')
  return (
    <DialogForm
      onSubmit={() => onConfirm(change, reason)}
      onCancel={onClose}
      submitLabel={accessLabels[change]}
      submitKind={change === 'suspend' ? 'danger' : 'primary'}
      isDisabled={isBusy}
    >
      <TextAreaField
        label="Reason"
        name="reason"
        rows={2}
        required
        maxLength={maxAccessReason}
        hint="The customer can read it in their activity."
        value={reason}
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
