import {
  isBillingSameAsShipping,
  addressPairs,
  genderLabels,
  maxWeight,
  type PersonalData,
} from '#domain/accounts/profile-fields.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { staleFields } from '../frame/use-row-edit.ts'
import { reportBadInput } from '../frame/report-bad-input.ts'
import { DialogButtons } from '../frame/DialogForm.tsx'
import { useStaleEdit } from '../frame/use-stale-edit.ts'
import {
  fieldLabels,
  fullFieldLabels,
  toFormValues,
  toProfileChanges,
  type ProfileFormValues,
} from './profile-input.ts'

type EditProfileProps = {
  id: string
  open: boolean
  onClose: () => void
  /** Reloads the page's data. */
  onSaved: () => Promise<void>
}

/**
 * Edits a user's profile. The dialog loads it when it opens, so that the form starts with current
 * values.
 */
export const EditProfile = ({ id, open, onClose, onSaved }: EditProfileProps) => (
  <Dialog open={open} onClose={onClose} title="Edit profile">
    {open ? <ProfileLoader id={id} onClose={onClose} onSaved={onSaved} /> : null}
  </Dialog>
)

function ProfileLoader({ id, onClose, onSaved }: Omit<EditProfileProps, 'open'>) {
  const { data, error, refetch } = trpc.users.profile.useQuery({ id })
  if (data) return <ProfileForm loaded={data} onClose={onClose} onSaved={onSaved} />
  if (!error) return <p role="status">Loading the profile…</p>
  return (
    <div role="alert">
      <p>{toCallFailure(error).message}</p>
      <Button type="button" className="mt-3" onClick={() => void refetch()}>
        Retry
      </Button>
    </div>
  )
}

type LoadedProfile = { person: PersonalData & { id: string }; version: number }
type FormProps = { loaded: LoadedProfile; onClose: () => void; onSaved: () => Promise<void> }

function ProfileForm({ loaded, onClose, onSaved }: FormProps) {
  const { base, failure, errors, current, rebase, run } = useStaleEdit<LoadedProfile>(loaded)
  const { person, version } = base
  const [values, setValues] = useState(() => toFormValues(person))
  const [isBillingSame, setBillingSame] = useState(() => isBillingSameAsShipping(person))
  const { mutateAsync, isPending } = trpc.users.update.useMutation()
  const form = useRef<HTMLFormElement>(null)
  // The dialog opened before the profile was loaded, so its own focus found no field.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const input = isBillingSame ? copyShippingToBilling(values) : values

  const saveProfile = async (): Promise<void> => {
    const failed = await run(async () => {
      const saved = await mutateAsync({ id: person.id, version, ...toProfileChanges(input) })
      const restored = toProfileChanges(toFormValues(person))
      offerUndo('Profile updated.', {
        undo: () => mutateAsync({ id: person.id, version: saved.version, ...restored }),
        refresh: onSaved,
      })
      onClose()
      await onSaved()
    })
    if (failed?.current === null)
      showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update user profile' })
  }
  const submit = (element: HTMLFormElement): void => {
    if (!reportBadInput(element)) void saveProfile()
  }
  const fieldProps = (name: keyof ProfileFormValues) => ({
    label: fieldLabels[name],
    name,
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setValues((previous) => ({ ...previous, [name]: currentTarget.value })),
  })
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {failure && !current && Object.keys(errors).length === 0 ? (
        <p role="alert" className="font-medium text-error">
          {failure.message}
        </p>
      ) : null}
      {current ? (
        <StaleNotice
          fields={staleFields(fullFieldLabels, input, toFormValues(current.person))}
          onUseCurrent={() => {
            setValues(toFormValues(current.person))
            setBillingSame(isBillingSameAsShipping(current.person))
            rebase(current)
          }}
          onKeepEdit={() => rebase(current)}
        />
      ) : null}
      <Group title="Personal Information">
        <Field {...fieldProps('firstName')} />
        <Field {...fieldProps('lastName')} />
        <SelectField {...fieldProps('gender')}>
          <option value="">Not specified</option>
          {Object.entries(genderLabels).map(([gender, label]) => (
            <option key={gender} value={gender}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field type="date" min="1900-01-01" {...fieldProps('dateOfBirth')} />
        <Field type="tel" {...fieldProps('cellPhone')} />
        <Field type="tel" {...fieldProps('homePhone')} />
      </Group>
      <Group title="Medical">
        <Field
          type="number"
          inputMode="decimal"
          step="0.1"
          min="0.1"
          max={maxWeight}
          hint="In pounds (lb)"
          {...fieldProps('weight')}
        />
        <TextAreaField className="sm:col-span-2" rows={3} {...fieldProps('currentMedications')} />
        <TextAreaField className="sm:col-span-2" rows={3} {...fieldProps('allergies')} />
      </Group>
      <Group title="Shipping Address">
        {addressPairs.map(([shipping]) => (
          <Field key={shipping} {...fieldProps(shipping)} />
        ))}
        <label className="flex min-h-9 items-center gap-2 sm:col-span-2">
          <input
            type="checkbox"
            className="grid-check"
            checked={isBillingSame}
            onChange={(event) => setBillingSame(event.currentTarget.checked)}
          />
          Billing address same as shipping address
        </label>
      </Group>
      {isBillingSame ? null : (
        <Group title="Billing Address">
          {addressPairs.map(([, billing]) => (
            <Field key={billing} {...fieldProps(billing)} />
          ))}
        </Group>
      )}
      <DialogButtons>
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={isPending || current !== null}>
          Save
        </Button>
      </DialogButtons>
    </form>
  )
}

/** The checkbox copies the shipping address to the billing address (specification, section 5). */
const copyShippingToBilling = (values: ProfileFormValues): ProfileFormValues => ({
  ...values,
  ...Object.fromEntries(addressPairs.map(([shipping, billing]) => [billing, values[shipping]])),
})

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="mb-2 font-semibold">{title}</legend>
    <div className="grid gap-3 sm:grid-cols-2">{children}</div>
  </fieldset>
)
