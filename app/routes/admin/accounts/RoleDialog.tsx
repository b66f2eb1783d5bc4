import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { personName } from './user-labels.ts'
import type { RoleChange } from './use-role-change.ts'

type RoleDialogProps = {
  asked: RoleChange | null
  isBusy: boolean
  onConfirm: (change: RoleChange) => void
  onClose: () => void
}

/** Asks before somebody's role changes (specification, section 4). */
export function RoleDialog({ asked, isBusy, onConfirm, onClose }: RoleDialogProps) {
  const verb = asked?.isAdmin ? 'Make admin' : 'Remove admin'
  return (
    <ConfirmDialog
      open={asked !== null}
      title={verb}
      verb={verb}
      isDanger={false}
      isBusy={isBusy}
      onConfirm={() => asked && onConfirm(asked)}
      onClose={onClose}
    >
      {asked ? (
        <>
          <p>
            <b>{whoOf(asked)}</b>
          </p>
          <p className="mt-2">
            {asked.isAdmin
              ? 'An admin sees all orders, prescriptions and profiles, and changes products, stock and users.'
              : 'The back office is closed to whoever is no admin. Their own account stays as it is.'}
          </p>
        </>
      ) : null}
    </ConfirmDialog>
  )
}

function whoOf({ target, count }: RoleChange): string {
  if (!('email' in target)) return `${count.toLocaleString('en-US')} ${count === 1 ? 'user' : 'users'}`
  const name = personName(target)
  return name === target.email ? name : `${name} (${target.email})`
}
