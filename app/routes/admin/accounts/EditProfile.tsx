import {
  isBilledWhereShipped,
  addressPairs,
  genderLabels,
  maxWeight,
  type PersonalData,
} from '#domain/accounts/profile-fields.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { failureOf, trpc, type CallFailure } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { changesOf, fieldLabels, typedOf, type Typed } from './profile-input.ts'

const failed = 'Failed to update user profile'

type EditProfileProps = {
  id: string
  open: boolean
  onClose: () => void
  /** Reads the page anew. */
  onSaved: () => Promise<void>
}

/** Edits a user's profile: read when it is opened, so that one begins with what stands there now. */
export const EditProfile = ({ id, open, onClose, onSaved }: EditProfileProps) => (
  <Dialog open={open} onClose={onClose} title="Edit profile">
    {open ? <Loaded id={id} onClose={onClose} onSaved={onSaved} /> : null}
  </Dialog>
)

function Loaded({ id, onClose, onSaved }: Omit<EditProfileProps, 'open'>) {
  const { data, error, refetch } = trpc.users.profile.useQuery({ id })
  if (data) return <ProfileForm edited={data} onClose={onClose} onSaved={onSaved} />
  if (!error) return <p role="status">Reading the profile…</p>
  return (
    <div role="alert">
      <p>{failureOf(error).message}</p>
      <Button type="button" className="mt-3" onClick={() => void refetch()}>
        Retry
      </Button>
    </div>
  )
}

type Edited = { person: PersonalData & { id: string }; version: number }
type FormProps = { edited: Edited; onClose: () => void; onSaved: () => Promise<void> }

function ProfileForm({ edited, onClose, onSaved }: FormProps) {
  /** What is changed, and what an undo brings back. */
  const [{ person, version }, setBase] = useState(edited)
  const [typed, setTyped] = useState(() => typedOf(person))
  const [sameBilling, setSameBilling] = useState(() => isBilledWhereShipped(person))
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const { mutateAsync, isPending } = trpc.users.update.useMutation()
  const form = useRef<HTMLFormElement>(null)
  // The dialog has opened before the profile was there.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const theirs = failure?.current as Edited | null | undefined
  const wanted = sameBilling ? billedWhereShipped(typed) : typed

  const save = async (): Promise<void> => {
    try {
      const saved = await mutateAsync({ id: person.id, version, ...changesOf(wanted) })
      offerUndo('The profile was changed.', async () => {
        await mutateAsync({ id: person.id, version: saved.version, ...changesOf(typedOf(person)) })
        await onSaved()
      })
      onClose()
      await onSaved()
    } catch (error) {
      const told = failureOf(error)
      setFailure(told)
      if (told.current === null) showToast({ kind: 'error', title: 'Update Failed', text: failed })
    }
  }
  const submit = (element: HTMLFormElement): void => {
    // Half a date or "1-2" for a number is read as nothing, and would empty what is stored.
    const unread = Array.from(element.querySelectorAll('input')).find(({ validity }) => validity.badInput)
    if (unread) unread.reportValidity()
    else void save()
  }
  const control = (name: keyof Typed) => ({
    label: fieldLabels[name],
    name,
    value: typed[name],
    error: failure?.fields[name],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setTyped((had) => ({ ...had, [name]: currentTarget.value })),
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
      {failure && !theirs && Object.keys(failure.fields).length === 0 ? (
        <p role="alert" className="font-medium text-error">
          {failure.message}
        </p>
      ) : null}
      {theirs ? (
        <StaleNotice
          fields={differences(wanted, typedOf(theirs.person))}
          onTake={() => {
            setTyped(typedOf(theirs.person))
            setSameBilling(isBilledWhereShipped(theirs.person))
            setBase(theirs)
            setFailure(null)
          }}
          onKeep={() => {
            setBase(theirs)
            setFailure(null)
          }}
        />
      ) : null}
      <Group title="Personal Information">
        <Field {...control('firstName')} />
        <Field {...control('lastName')} />
        <SelectField {...control('gender')}>
          <option value="">Not stated</option>
          {Object.entries(genderLabels).map(([gender, label]) => (
            <option key={gender} value={gender}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field type="date" min="1900-01-01" {...control('dateOfBirth')} />
        <Field type="tel" {...control('cellPhone')} />
        <Field type="tel" {...control('homePhone')} />
      </Group>
      <Group title="Medical">
        <Field
          type="number"
          inputMode="decimal"
          step="0.1"
          min="0.1"
          max={maxWeight}
          hint="In pounds (lb)"
          {...control('weight')}
        />
        <TextAreaField className="sm:col-span-2" rows={3} {...control('currentMedications')} />
        <TextAreaField className="sm:col-span-2" rows={3} {...control('allergies')} />
      </Group>
      <Group title="Shipping Address">
        {addressPairs.map(([shipping]) => (
          <Field key={shipping} {...control(shipping)} />
        ))}
        <label className="flex min-h-9 items-center gap-2 sm:col-span-2">
          <input
            type="checkbox"
            className="grid-check"
            checked={sameBilling}
            onChange={(event) => setSameBilling(event.currentTarget.checked)}
          />
          Billing address same as shipping address
        </label>
      </Group>
      {sameBilling ? null : (
        <Group title="Billing Address">
          {addressPairs.map(([, billing]) => (
            <Field key={billing} {...control(billing)} />
          ))}
        </Group>
      )}
      <div className="sticky -bottom-4 -mx-5 -mb-4 flex justify-end gap-2 border-t border-line bg-base-100 px-5 py-3">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={isPending || Boolean(theirs)}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** The box copies what stands under shipping (specification, section 5). */
const billedWhereShipped = (typed: Typed): Typed => ({
  ...typed,
  ...Object.fromEntries(addressPairs.map(([shipping, billing]) => [billing, typed[shipping]])),
})

const differences = (mine: Typed, theirs: Typed) =>
  Object.entries(fieldLabels).flatMap(([field, label]) => {
    const name = field as keyof Typed
    const side = name.startsWith('billing') ? 'Billing ' : name.startsWith('shipping') ? 'Shipping ' : ''
    return mine[name] === theirs[name]
      ? []
      : [{ name: `${side}${label}`, mine: mine[name], theirs: theirs[name] }]
  })

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="mb-2 font-semibold">{title}</legend>
    <div className="grid gap-3 sm:grid-cols-2">{children}</div>
  </fieldset>
)
