import { maxAccessReason } from '#domain/accounts/account-access.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import type { UserRow } from '#domain/accounts/user-rows.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextAreaField } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { DialogForm } from '../frame/DialogForm.tsx'
import { factorReset } from './user-labels.ts'

type ResetFactorDialogProps = {
  user: UserRow | null
  /** Reloads the list, also after a refusal: another admin may have been first. */
  onChanged: () => void
  onClose: () => void
}

/** Asks how the person was identified before an admin resets their two-step sign-in. */
export const ResetFactorDialog = ({ user, ...form }: ResetFactorDialogProps) => (
  <Dialog open={user !== null} onClose={form.onClose} title={factorReset.action} role="alertdialog">
    {user ? <ResetForm user={user} {...form} /> : null}
  </Dialog>
)

function ResetForm({ user, onChanged, onClose }: ResetFactorDialogProps & { user: UserRow }) {
  const [reason, setReason] = useState('')
  const name = nameOrEmail(user)
  const { mutate, isPending, error } = trpc.users.resetSecondFactor.useMutation({
    onSuccess: () => {
      showToast({
        kind: 'success',
        title: factorReset.done,
        text: `${name} can sign in without a code.`,
      })
      onClose()
    },
    onSettled: onChanged,
  })
  const failure = error && toCallFailure(error)
  const reasonError = failure?.fields['reason']
  return (
    <DialogForm
      submitLabel={factorReset.action}
      submitKind="danger"
      isDisabled={isPending}
      problem={reasonError ? null : failure?.message}
      onSubmit={() => mutate({ id: user.id, reason })}
      onCancel={onClose}
    >
      <p>
        <b className="wrap-anywhere">{name}</b>
      </p>
      <p>{factorReset.explanation}</p>
      <TextAreaField
        label={factorReset.reasonLabel}
        name="reason"
        rows={2}
        required
        maxLength={maxAccessReason}
        hint={factorReset.reasonHint}
        value={reason}
        error={reasonError}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
