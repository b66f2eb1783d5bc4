import type { NewPharmacy, PharmacyRow } from '#domain/partners/pharmacy-fields.ts'
import { trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, TextAreaField } from '../../../ui/Field.tsx'
import { useRowEdit } from '../frame/use-row-edit.ts'

type FormValues = Omit<NewPharmacy, 'shipsTo'> & { shipsTo: string }
const labels = {
  name: 'Name',
  country: 'Country',
  licenseNumber: 'License number',
  licenseExpiry: 'License expiry',
  shipsTo: 'Ships to',
  active: 'Active',
} as const satisfies Record<keyof FormValues, string>

const blankValues: FormValues = {
  name: '',
  country: '',
  licenseNumber: '',
  licenseExpiry: '',
  shipsTo: '',
  active: true,
}
const toFormValues = (row: PharmacyRow): FormValues => ({
  name: row.name,
  country: row.country,
  licenseNumber: row.licenseNumber,
  licenseExpiry: row.licenseExpiry,
  shipsTo: row.shipsTo.join('\n'),
  active: row.active,
})
const toInput = ({ shipsTo, ...typed }: FormValues): NewPharmacy => ({
  ...typed,
  shipsTo: shipsTo.split(/[\n,;]/),
})

type PharmacyDialogProps = { edited: PharmacyRow | 'new' | null; onClose: () => void }

/** Creates or edits a pharmacy. */
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
  const {
    values: typed,
    update: say,
    base,
    errors,
    stale,
    submit: attempt,
  } = useRowEdit({ row: edited, blankValues, toFormValues, labels })
  const create = trpc.pharmacies.create.useMutation()
  const update = trpc.pharmacies.update.useMutation()

  const save = async (): Promise<void> => {
    if (base) {
      const saved = await update.mutateAsync({ id: base.id, version: base.version, ...toInput(typed) })
      offerUndo(`Updated ${saved.name}.`, async () => {
        await update.mutateAsync({ id: saved.id, version: saved.version, ...toInput(toFormValues(base)) })
        await utils.pharmacies.invalidate()
      })
    } else await create.mutateAsync(toInput(typed))
    onClose()
    await utils.pharmacies.invalidate()
  }
  const textField = (name: 'name' | 'country' | 'licenseNumber' | 'licenseExpiry', type = 'text') => (
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
      ref={focusFirstField}
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
      {textField('licenseNumber')}
      {textField('licenseExpiry', 'date')}
      <TextAreaField
        label={labels.shipsTo}
        name="shipsTo"
        hint="One country per line."
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
