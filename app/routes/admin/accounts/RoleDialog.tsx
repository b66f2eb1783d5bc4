import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { userCount } from './user-labels.ts'
import type { RoleChange } from './use-role-change.ts'

type RoleDialogProps = {
  change: RoleChange | null
  isBusy: boolean
  onConfirm: (change: RoleChange) => void
  onClose: () => void
}

/** Asks before a role changes (specification, section 4). */
export function RoleDialog({ change, isBusy, onConfirm, onClose }: RoleDialogProps) {
  const actionLabel = change?.isAdmin ? 'Make admin' : 'Remove admin'
  return (
    <ConfirmDialog
      open={change !== null}
      title={actionLabel}
      actionLabel={actionLabel}
      isDanger={false}
      isBusy={isBusy}
      onConfirm={() => change && onConfirm(change)}
      onClose={onClose}
    >
      {change ? (
        <>
          <p>
            <b>{targetLabel(change)}</b>
          </p>
          <p className="mt-2">
            {change.isAdmin
              ? 'Admins can see all orders, prescriptions and profiles, and can change products, stock and users.'
              : 'They’ll lose access to the back office but keep their customer account.'}
          </p>
        </>
      ) : null}
    </ConfirmDialog>
  )
}

function targetLabel({ target, count }: RoleChange): string {
  if (!('email' in target)) return userCount(count)
  const name = nameOrEmail(target)
  return name === target.email ? name : `${name} (${target.email})`
}
