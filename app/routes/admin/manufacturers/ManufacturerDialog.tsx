import type { ManufacturerRow, NewManufacturer } from '#domain/manufacturer-fields.ts'
import { useState } from 'react'
import { failureOf, trpc, type CallFailure } from '../../../lib/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { beginHere } from '../../../ui/data-grid/begin-here.ts'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'

type Name = keyof NewManufacturer
const fields: readonly (readonly [name: Name, label: string, autoComplete?: string])[] = [
  ['name', 'Name'],
  ['streetAddress', 'Street address'],
  ['city', 'City'],
  ['stateProvince', 'State/Province'],
  ['country', 'Country'],
  ['postalCode', 'Postal code'],
]

type Typed = Record<Name, string>
const blank: Typed = { name: '', streetAddress: '', city: '', stateProvince: '', country: '', postalCode: '' }
const typedOf = (row: ManufacturerRow): Typed => ({
  name: row.name,
  streetAddress: row.streetAddress ?? '',
  city: row.city ?? '',
  stateProvince: row.stateProvince ?? '',
  country: row.country ?? '',
  postalCode: row.postalCode ?? '',
})

type ManufacturerDialogProps = { edited: ManufacturerRow | 'new' | null; onClose: () => void }

/** Adds a manufacturer, or edits one. */
export const ManufacturerDialog = ({ edited, onClose }: ManufacturerDialogProps) => (
  <Dialog
    open={edited !== null}
    onClose={onClose}
    title={edited === 'new' ? 'Add Manufacturer' : 'Edit Manufacturer'}
  >
    {edited ? <ManufacturerForm edited={edited === 'new' ? null : edited} onClose={onClose} /> : null}
  </Dialog>
)

function ManufacturerForm({ edited, onClose }: { edited: ManufacturerRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [typed, setTyped] = useState(edited ? typedOf(edited) : blank)
  /** The row that is changed: what an undo brings back. */
  const [base, setBase] = useState(edited)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const create = trpc.manufacturers.create.useMutation()
  const update = trpc.manufacturers.update.useMutation()

  const save = async (): Promise<void> => {
    try {
      if (base) {
        const saved = await update.mutateAsync({ id: base.id, version: base.version, ...typed })
        offerUndo(`${saved.name} was changed.`, async () => {
          await update.mutateAsync({ id: saved.id, version: saved.version, ...typedOf(base) })
          await utils.manufacturers.invalidate()
        })
      } else await create.mutateAsync(typed)
      onClose()
      await utils.manufacturers.invalidate()
    } catch (error) {
      const failed = failureOf(error)
      setFailure(failed)
      if (failed.current === null) {
        showToast({
          kind: 'error',
          title: edited ? 'Update Failed' : 'Creation Failed',
          text: Object.values(failed.fields)[0] ?? failed.message,
        })
      }
    }
  }
  const theirs = failure?.current as ManufacturerRow | null | undefined
  return (
    <form
      ref={beginHere}
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {theirs ? (
        <StaleNotice
          fields={fields.flatMap(([name, label]) =>
            typedOf(theirs)[name] === typed[name]
              ? []
              : [{ name: label, mine: typed[name], theirs: typedOf(theirs)[name] }],
          )}
          onTake={() => {
            setTyped(typedOf(theirs))
            setBase(theirs)
            setFailure(null)
          }}
          onKeep={() => {
            setBase(theirs)
            setFailure(null)
          }}
        />
      ) : null}
      {fields.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          name={name}
          value={typed[name]}
          error={failure?.fields[name]}
          required={name === 'name'}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
        />
      ))}
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          kind="primary"
          disabled={typed.name.trim() === '' || create.isPending || update.isPending || Boolean(theirs)}
        >
          Save
        </Button>
      </div>
    </form>
  )
}
