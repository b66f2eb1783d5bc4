import { missingProductFields } from '#domain/catalog/catalog-messages.ts'
import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { useState } from 'react'
import { trpc } from '../../../../http/trpc.ts'
import { offerUndo } from '../../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../../ui/Field.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { saveWithRetry } from '../../frame/save-with-retry.ts'
import { useRowEdit } from '../../frame/use-row-edit.ts'
import { DialogForm } from '../../frame/DialogForm.tsx'
import { imageHint, PictureField } from './PictureField.tsx'

const labels = { name: 'Name', description: 'Description', image: 'Image URL', category: 'Category' } as const
type FieldName = keyof typeof labels
type FormValues = Record<FieldName, string>

const toFormValues = ({ name, description, image, category }: ProductRow): FormValues => ({
  name,
  description: description ?? '',
  image: image ?? '',
  category,
})

/** The fields that differ from the row. */
function toChanges(values: FormValues, row: ProductRow) {
  const before = toFormValues(row)
  const { name, description, image, category } = values
  return {
    ...(name !== before.name && { name }),
    ...(description !== before.description && { description }),
    ...(image !== before.image && { image }),
    ...(category !== before.category && {
      category: category === 'OTC' ? ('OTC' as const) : ('Rx' as const),
    }),
  }
}

type EditProductProps = { edited: ProductRow | null; onClose: () => void }

export const EditProduct = ({ edited, onClose }: EditProductProps) => (
  <Dialog open={edited !== null} onClose={onClose} title="Edit product">
    {edited ? <ProductForm edited={edited} onClose={onClose} /> : null}
  </Dialog>
)

function ProductForm({ edited, onClose }: { edited: ProductRow; onClose: () => void }) {
  const utils = trpc.useUtils()
  const update = trpc.products.update.useMutation()
  const edit = useRowEdit({ row: edited, initialValues: toFormValues(edited), toFormValues, labels })
  const { values, errors, base } = edit
  const [isUploading, setUploading] = useState(false)
  const refresh = () => Promise.all([utils.products.invalidate(), utils.variants.invalidate()])

  const save = async (): Promise<void> => {
    const saved = await saveWithRetry(
      { id: base.id, version: base.version, ...toChanges(values, base) },
      (input): Promise<ProductRow> => update.mutateAsync(input),
      // A change of one of its variants raises the product's version too.
      (current) => Object.keys(toChanges(toFormValues(current), base)).length > 0,
    )
    const undoChanges = toChanges(toFormValues(base), saved)
    // A generated illustration cannot be restored: the server refuses a blank address.
    if (undoChanges.image !== '') {
      offerUndo(`Updated ${saved.name}.`, {
        undo: () => update.mutateAsync({ id: saved.id, version: saved.version, ...undoChanges }),
        refresh,
      })
    }
    showToast({ kind: 'success', title: 'Product Updated', text: 'Product has been updated successfully' })
    onClose()
    await refresh()
  }
  const submit = async (): Promise<void> => {
    const isMissing = (name: 'name' | 'image') =>
      values[name].trim() === '' && toFormValues(base)[name] !== ''
    const missing = (['name', 'image'] as const).filter(isMissing)
    edit.setErrors(Object.fromEntries(missing.map((name) => [name, missingProductFields])))
    if (missing.length > 0)
      return showToast({ kind: 'error', title: 'Validation Error', text: missingProductFields })
    await edit.submit(save, 'Failed to update product')
  }
  const fieldProps = (name: FieldName) => ({
    label: labels[name],
    name,
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      edit.update({ [name]: event.currentTarget.value }),
  })
  return (
    <DialogForm
      onSubmit={() => void submit()}
      onCancel={onClose}
      isDisabled={update.isPending || isUploading}
      stale={edit.stale}
      problem={edit.problem}
    >
      <Field {...fieldProps('name')} required />
      <TextAreaField {...fieldProps('description')} rows={5} />
      <PictureField
        value={values.image}
        saved={{ image: base.image, copy: base.imageCopy, problem: base.pictureProblem }}
        error={errors['image']}
        hint={base.image === null ? 'Leave blank to use the generated illustration.' : imageHint}
        onChange={(image) => {
          edit.update({ image })
          edit.clearError('image')
        }}
        onUploadingChange={setUploading}
      />
      <SelectField {...fieldProps('category')}>
        <option value="Rx">Rx</option>
        <option value="OTC">OTC</option>
      </SelectField>
    </DialogForm>
  )
}
