import { nameOrEmail } from '#domain/accounts/accounts.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { trpc } from '../../../http/trpc.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { failedDeletion } from './failed-deletion.ts'

type DeleteUserProps = {
  user: (PersonName & { id: string; email: string }) | null
  onDeleted: () => void
  onClose: () => void
}

/** Deletes an account after a confirmation (specification, sections 4, 6 and 8). */
export function DeleteUser({ user, onDeleted, onClose }: DeleteUserProps) {
  const { mutate, isPending } = trpc.users.delete.useMutation({
    onSuccess: () => {
      onClose()
      showToast({ kind: 'success', title: 'User Deleted', text: 'User has been deleted successfully' })
      onDeleted()
    },
    onError: (error) => {
      onClose()
      const toast = failedDeletion(error)
      if (toast) showToast(toast)
    },
  })
  return (
    <ConfirmDialog
      open={user !== null}
      title="Delete user"
      actionLabel="Delete"
      isBusy={isPending}
      onConfirm={() => user && mutate({ id: user.id })}
      onClose={onClose}
    >
      {user ? (
        <>
          <p>
            Are you sure you want to delete <b>{nameOrEmail(user)}</b>
            {nameOrEmail(user) === user.email ? null : ` (${user.email})`}?
          </p>
          <p className="mt-2">
            This deletes their profile, prescriptions, files and addresses, and removes their orders from
            every list. Records of prescription medicines that we shipped are kept as the law requires. This
            cannot be undone.
          </p>
        </>
      ) : null}
    </ConfirmDialog>
  )
}
