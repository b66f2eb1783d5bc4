import type { NewPharmacy, PharmacyRow } from '#domain/partners/pharmacy-fields.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Field, TextAreaField } from '../../../ui/Field.tsx'
import { useRequestKey } from '../frame/use-request-key.ts'
import { useRowEdit } from '../frame/use-row-edit.ts'
import { DialogForm } from '../frame/DialogForm.tsx'
import { RowDialog } from '../frame/RowDialog.tsx'
import { saveRow } from '../frame/save-row.ts'

type FormValues = Omit<NewPharmacy, 'shipsTo' | 'address' | 'phone'> &
  Record<'shipsTo' | 'address' | 'phone', string>
const labels = {
  name: 'Name',
  country: 'Country',
  licenseNumber: 'License number',
  licenseExpiry: 'License expiry',
  shipsTo: 'Ships to',
  active: 'Active',
  address: 'Address',
  phone: 'Phone',
} as const satisfies Record<keyof FormValues, string>

const blankValues: FormValues = {
  name: '',
  country: '',
  licenseNumber: '',
  licenseExpiry: '',
  shipsTo: '',
  active: true,
  address: '',
  phone: '',
}
const toFormValues = (row: PharmacyRow): FormValues => ({
  name: row.name,
  country: row.country,
  licenseNumber: row.licenseNumber,
  licenseExpiry: row.licenseExpiry,
  shipsTo: row.shipsTo.join('\n'),
  active: row.active,
  address: row.address ?? '',
  phone: row.phone ?? '',
})
const toInput = ({ shipsTo, ...values }: FormValues): NewPharmacy => ({
  ...values,
  shipsTo: shipsTo.split(/[\n,;]/),
})

type PharmacyDialogProps = { edited: PharmacyRow | 'new' | null; onClose: () => void }

/** Creates or edits a pharmacy. */
export const PharmacyDialog = ({ edited, onClose }: PharmacyDialogProps) => (
  <RowDialog edited={edited} entity="Pharmacy" onClose={onClose}>
    {(row) => <PharmacyForm edited={row} onClose={onClose} />}
  </RowDialog>
)

function PharmacyForm({ edited, onClose }: { edited: PharmacyRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const requestKey = useRequestKey()
  const edit = useRowEdit({
    row: edited,
    initialValues: edited ? toFormValues(edited) : blankValues,
    toFormValues,
    labels,
  })
  const { values, base, errors } = edit
  const create = trpc.pharmacies.create.useMutation({
    onError: (failure) => requestKey.onFailure(toCallFailure(failure)),
  })
  const update = trpc.pharmacies.update.useMutation()

  const save = () =>
    saveRow(base, toInput(values), (row) => toInput(toFormValues(row)), {
      create: (input) => create.mutateAsync({ ...input, requestKey: requestKey.get() }),
      update: update.mutateAsync,
      close: onClose,
      refresh: () => utils.pharmacies.invalidate(),
    })
  const textField = (name: 'name' | 'country' | 'licenseNumber' | 'licenseExpiry', type = 'text') => (
    <Field
      label={labels[name]}
      name={name}
      type={type}
      value={values[name]}
      error={errors[name]}
      required
      autoComplete="off"
      onChange={(event) => edit.update({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <DialogForm
      onSubmit={() => void edit.submit(save)}
      onCancel={onClose}
      isDisabled={create.isPending || update.isPending}
      stale={edit.stale}
    >
      {textField('name')}
      {textField('country')}
      {textField('licenseNumber')}
      {textField('licenseExpiry', 'date')}
      <TextAreaField
        label={labels.address}
        name="address"
        hint="One line for each line of the label. Labels and return addresses print it."
        rows={3}
        value={values.address}
        error={errors['address']}
        onChange={(event) => edit.update({ address: event.currentTarget.value })}
      />
      <Field
        label={labels.phone}
        name="phone"
        type="tel"
        value={values.phone}
        error={errors['phone']}
        autoComplete="off"
        onChange={(event) => edit.update({ phone: event.currentTarget.value })}
      />
      <TextAreaField
        label={labels.shipsTo}
        name="shipsTo"
        hint="One country per line."
        rows={4}
        value={values.shipsTo}
        error={errors['shipsTo']}
        required
        onChange={(event) => edit.update({ shipsTo: event.currentTarget.value })}
      />
      <label className="flex min-h-9 items-center gap-2 font-medium">
        <input
          type="checkbox"
          className="grid-check"
          checked={values.active}
          onChange={(event) => edit.update({ active: event.currentTarget.checked })}
        />
        {labels.active}
      </label>
    </DialogForm>
  )
}
