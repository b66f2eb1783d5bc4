import { nameOrEmail } from '#domain/accounts/accounts.ts'
import {
  compareRoles,
  permissionTable,
  roleLabels,
  roles,
  type Permission,
  type Role,
} from '#domain/accounts/permissions.ts'
import type { UserRow } from '#domain/accounts/user-rows.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { DialogForm } from '../frame/DialogForm.tsx'

type RolesDialogProps = {
  user: UserRow | null
  onChanged: () => void
  onClose: () => void
}

const rolesAreStored = 'This account already has these roles.'

/** Chooses the roles of one account, with a preview of what the change allows and ends. */
export const RolesDialog = ({ user, onClose, ...form }: RolesDialogProps) => (
  <Dialog open={user !== null} onClose={onClose} title="Change roles">
    {user ? <RolesForm user={user} onClose={onClose} {...form} /> : null}
  </Dialog>
)

function RolesForm({ user, onChanged, onClose }: RolesDialogProps & { user: UserRow }) {
  const [held, setHeld] = useState<readonly Role[]>(user.roles)
  const [chosen, setChosen] = useState(held)
  const { mutate, isPending, error } = trpc.users.setRoles.useMutation({
    onSuccess: () => {
      showToast({ kind: 'success', title: 'Roles changed' })
      onChanged()
      onClose()
    },
    onError: (failure) => {
      // The list may show roles that someone else has changed. This admin's changes stay.
      onChanged()
      const { current } = toCallFailure<{ roles: Role[] }>(failure)
      if (!current) return
      setHeld(current.roles)
      setChosen(roles.filter((role) => (isEdited(role) ? chosen : current.roles).includes(role)))
    },
  })
  const isEdited = (role: Role): boolean => chosen.includes(role) !== held.includes(role)
  const { gained, lost } = compareRoles(held, chosen)
  const isChanged = roles.some(isEdited)
  const failure = error && toCallFailure(error)
  return (
    <DialogForm
      submitLabel="Change roles"
      isDisabled={isPending || !isChanged}
      // After a conflict with the same change, nothing is left to save.
      problem={failure && (failure.current && !isChanged ? rolesAreStored : failure.message)}
      onSubmit={() => mutate({ id: user.id, before: [...held], roles: [...chosen] })}
      onCancel={onClose}
    >
      <fieldset className="grid gap-1">
        <legend className="mb-2">
          Roles of <b className="wrap-anywhere">{nameOrEmail(user)}</b>
        </legend>
        {roles.map((role) => (
          <label key={role} className="flex min-h-9 items-center gap-2">
            <input
              type="checkbox"
              className="grid-check"
              name="roles"
              value={role}
              checked={chosen.includes(role)}
              onChange={(event) =>
                setChosen(
                  event.currentTarget.checked ? [...chosen, role] : chosen.filter((each) => each !== role),
                )
              }
            />
            {roleLabels[role]}
          </label>
        ))}
      </fieldset>
      <div role="status" className="grid gap-3">
        <PermissionList title="They will be able to:" names={gained} />
        <PermissionList title="They will no longer be able to:" names={lost} />
        {isChanged && gained.length === 0 && lost.length === 0 ? <p>No permissions will change.</p> : null}
      </div>
    </DialogForm>
  )
}

const PermissionList = ({ title, names }: { title: string; names: readonly Permission[] }) =>
  names.length === 0 ? null : (
    <div>
      <p className="font-semibold">{title}</p>
      <ul className="list-disc ps-5">
        {names.map((name) => (
          <li key={name}>{permissionTable[name].label}</li>
        ))}
      </ul>
    </div>
  )
