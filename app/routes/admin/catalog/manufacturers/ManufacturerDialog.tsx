import type { ManufacturerRow, NewManufacturer } from '#domain/catalog/manufacturer-fields.ts'
import { trpc } from '../../../../http/trpc.ts'
import { Field } from '../../../../ui/Field.tsx'
import { useRowEdit } from '../../frame/use-row-edit.ts'
import { DialogForm } from '../../frame/DialogForm.tsx'
import { RowDialog } from '../../frame/RowDialog.tsx'
import { saveRow } from '../../frame/save-row.ts'

type FieldName = keyof NewManufacturer
const labels = {
  name: 'Name',
  streetAddress: 'Street address',
  city: 'City',
  stateProvince: 'State/Province',
  country: 'Country',
  postalCode: 'Postal code',
} as const satisfies Record<FieldName, string>
const fieldNames = Object.keys(labels) as FieldName[]

type FormValues = Record<FieldName, string>
const blankValues: FormValues = {
  name: '',
  streetAddress: '',
  city: '',
  stateProvince: '',
  country: '',
  postalCode: '',
}
const toFormValues = (row: ManufacturerRow): FormValues => ({
  name: row.name,
  streetAddress: row.streetAddress ?? '',
  city: row.city ?? '',
  stateProvince: row.stateProvince ?? '',
  country: row.country ?? '',
  postalCode: row.postalCode ?? '',
})

type ManufacturerDialogProps = { edited: ManufacturerRow | 'new' | null; onClose: () => void }

/** Creates or edits a manufacturer. */
export const ManufacturerDialog = ({ edited, onClose }: ManufacturerDialogProps) => (
  <RowDialog edited={edited} entity="Manufacturer" onClose={onClose}>
    {(row) => <ManufacturerForm edited={row} onClose={onClose} />}
  </RowDialog>
)

function ManufacturerForm({ edited, onClose }: { edited: ManufacturerRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const edit = useRowEdit({
    row: edited,
    initialValues: edited ? toFormValues(edited) : blankValues,
    toFormValues,
    labels,
  })
  const { values, base, errors } = edit
  const create = trpc.manufacturers.create.useMutation()
  const update = trpc.manufacturers.update.useMutation()

  const save = () =>
    saveRow(base, values, toFormValues, {
      create: create.mutateAsync,
      update: update.mutateAsync,
      close: onClose,
      refresh: () => utils.manufacturers.invalidate(),
    })
  return (
    <DialogForm
      onSubmit={() => void edit.submit(save)}
      onCancel={onClose}
      isDisabled={values.name.trim() === '' || create.isPending || update.isPending}
      stale={edit.stale}
    >
      {fieldNames.map((name) => (
        <Field
          key={name}
          label={labels[name]}
          name={name}
          value={values[name]}
          error={errors[name]}
          required={name === 'name'}
          autoComplete="off"
          onChange={(event) => edit.update({ [name]: event.currentTarget.value })}
        />
      ))}
    </DialogForm>
  )
}
