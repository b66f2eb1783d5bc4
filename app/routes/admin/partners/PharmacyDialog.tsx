import type { NewPharmacy, PharmacyRow } from '#domain/partners/pharmacy-fields.ts'
import { trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { beginHere } from '../../../ui/data-grid/focus-first-field.ts'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, TextAreaField } from '../../../ui/Field.tsx'
import { useRowEdit } from '../frame/use-row-edit.ts'

type Typed = Omit<NewPharmacy, 'shipsTo'> & { shipsTo: string }
const labels = {
  name: 'Name',
  country: 'Country',
  licenceNumber: 'Licence number',
  licenceExpiry: 'Licence expiry',
  shipsTo: 'Ships to',
  active: 'Active',
} as const satisfies Record<keyof Typed, string>

const blank: Typed = {
  name: '',
  country: '',
  licenceNumber: '',
  licenceExpiry: '',
  shipsTo: '',
  active: true,
}
const typedOf = (row: PharmacyRow): Typed => ({
  name: row.name,
  country: row.country,
  licenceNumber: row.licenceNumber,
  licenceExpiry: row.licenceExpiry,
  shipsTo: row.shipsTo.join('\n'),
  active: row.active,
})
const saidOf = ({ shipsTo, ...typed }: Typed): NewPharmacy => ({ ...typed, shipsTo: shipsTo.split(/[\n,;]/) })

type PharmacyDialogProps = { edited: PharmacyRow | 'new' | null; onClose: () => void }

/** Adds a pharmacy, or edits one. */
export const PharmacyDialog = ({ edited, onClose }: PharmacyDialogProps) => (
  <Dialog
    open={edited !== null}
    onClose={onClose}
    title={edited === 'new' ? 'Add Pharmacy' : 'Edit Pharmacy'}
  >
    {edited ? <PharmacyForm edited={edited === 'new' ? null : edited} onClose={onClose} /> : null}
  </Dialog>
)

function PharmacyForm({ edited, onClose }: { edited: PharmacyRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { typed, say, base, errors, stale, attempt } = useRowEdit({ row: edited, blank, typedOf, labels })
  const create = trpc.pharmacies.create.useMutation()
  const update = trpc.pharmacies.update.useMutation()

  const save = async (): Promise<void> => {
    if (base) {
      const saved = await update.mutateAsync({ id: base.id, version: base.version, ...saidOf(typed) })
      offerUndo(`${saved.name} was changed.`, async () => {
        await update.mutateAsync({ id: saved.id, version: saved.version, ...saidOf(typedOf(base)) })
        await utils.pharmacies.invalidate()
      })
    } else await create.mutateAsync(saidOf(typed))
    onClose()
    await utils.pharmacies.invalidate()
  }
  const textField = (name: 'name' | 'country' | 'licenceNumber' | 'licenceExpiry', type = 'text') => (
    <Field
      label={labels[name]}
      name={name}
      type={type}
      value={typed[name]}
      error={errors[name]}
      required
      autoComplete="off"
      onChange={(event) => say({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <form
      ref={beginHere}
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(save)
      }}
    >
      {stale ? <StaleNotice {...stale} /> : null}
      {textField('name')}
      {textField('country')}
      {textField('licenceNumber')}
      {textField('licenceExpiry', 'date')}
      <TextAreaField
        label={labels.shipsTo}
        name="shipsTo"
        hint="One country a line."
        rows={4}
        value={typed.shipsTo}
        error={errors['shipsTo']}
        required
        onChange={(event) => say({ shipsTo: event.currentTarget.value })}
      />
      <label className="flex min-h-9 items-center gap-2 font-medium">
        <input
          type="checkbox"
          className="grid-check"
          checked={typed.active}
          onChange={(event) => say({ active: event.currentTarget.checked })}
        />
        {labels.active}
      </label>
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={create.isPending || update.isPending || stale !== null}>
          Save
        </Button>
      </div>
    </form>
  )
}
