import { missingProductFields, selectProduct } from '#domain/catalog/catalog-messages.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../../http/trpc.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../../ui/Field.tsx'
import { Plus } from '../../../../ui/icons.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { ChoiceField } from '../products/ChoiceField.tsx'
import { imageHint, PictureField } from '../products/PictureField.tsx'
import { DialogForm } from '../../frame/DialogForm.tsx'
import { useRequestKey } from '../../frame/use-request-key.ts'
import { useSharedIdentifierNote } from './use-shared-identifiers.ts'
import { VariantFields } from './VariantFields.tsx'
import { blankVariant, findFieldErrors, toVariantInput } from './variant-input.ts'

/**
 * The Add Product button with its dialog: adds a variant to an existing product, or a new product
 * with its first variant.
 */
export function AddProduct() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" kind="primary" onClick={() => setOpen(true)}>
        <Plus /> Add Product
      </Button>
      <Dialog open={isOpen} onClose={close} title="Add Product">
        {isOpen ? <AddForm onClose={close} /> : null}
      </Dialog>
    </>
  )
}

const blankProduct = { name: '', description: '', image: '', category: 'Rx' }

function AddForm({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.variants.create.useMutation()
  const [isNew, setNew] = useState(false)
  const [selected, setSelected] = useState({ id: '', label: '' })
  const [product, setProduct] = useState(blankProduct)
  const [variant, setVariant] = useState(blankVariant)
  const [isUploading, setUploading] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const requestKey = useRequestKey()
  const noteShared = useSharedIdentifierNote()

  const findErrors = (): Record<string, string> => {
    const errorsFound: Record<string, string> = {}
    if (isNew && product.name.trim() === '') errorsFound['name'] = missingProductFields
    if (isNew && product.image.trim() === '') errorsFound['image'] = missingProductFields
    if (!isNew && selected.id === '') errorsFound['productId'] = selectProduct
    return { ...errorsFound, ...findFieldErrors(variant, null) }
  }
  const submit = async (): Promise<void> => {
    const errorsFound = findErrors()
    setErrors(errorsFound)
    setProblem(null)
    const [missing] = Object.values(errorsFound)
    if (missing) return showToast({ kind: 'error', title: 'Validation Error', text: missing })
    let note: string
    try {
      const { id } = await create.mutateAsync({
        product: isNew
          ? {
              ...product,
              category: product.category === 'OTC' ? 'OTC' : 'Rx',
              description: product.description || null,
            }
          : null,
        variant: { ...toVariantInput(variant), productId: isNew ? 'new' : selected.id },
        requestKey: requestKey.get(),
      })
      note = await noteShared(id, toVariantInput(variant))
    } catch (error) {
      const failure = toCallFailure(error)
      const { message, fields } = failure
      requestKey.onFailure(failure)
      // The error paths are prefixed; no product field shares its name with a variant field.
      const formErrors = Object.entries(fields).map(([path, message]) => [
        path.replace(/^(product|variant)\./, ''),
        message,
      ])
      setErrors(Object.fromEntries(formErrors))
      if (formErrors.length === 0) setProblem(message)
      const fallback = isNew ? 'Failed to create product' : 'Failed to create product variant'
      const text = Object.values(fields)[0] ?? fallback
      return showToast({ kind: 'error', title: 'Create Failed', text })
    }
    showToast({
      kind: 'success',
      title: 'Product Created',
      text: `Product has been created successfully${note}`,
    })
    onClose()
    await Promise.all([utils.variants.invalidate(), utils.products.invalidate()])
  }
  const fieldProps = (name: keyof typeof product) => ({
    name,
    value: product[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      setProduct({ ...product, [name]: event.currentTarget.value }),
  })
  return (
    <DialogForm
      onSubmit={() => void submit()}
      onCancel={onClose}
      isDisabled={create.isPending || isUploading}
      problem={problem}
    >
      <label className="flex items-center gap-2 font-medium">
        <input
          type="checkbox"
          className="grid-check"
          checked={isNew}
          onChange={(event) => {
            setNew(event.currentTarget.checked)
            setVariant({ ...variant, linkedVariantId: '' })
            setErrors({})
            setProblem(null)
          }}
        />
        Create new product (medicine)
      </label>
      {isNew ? (
        <div className="form-grid">
          <Field label="Name" {...fieldProps('name')} required />
          <PictureField
            value={product.image}
            error={errors['image']}
            hint={imageHint}
            required
            onChange={(image) => {
              // Functional updates: the user may have typed while the picture was uploading.
              setProduct((previous) => ({ ...previous, image }))
              setErrors((previous) => ({ ...previous, image: '' }))
            }}
            onUploadingChange={setUploading}
          />
          <SelectField label="Category" {...fieldProps('category')}>
            <option value="Rx">Rx</option>
            <option value="OTC">OTC</option>
          </SelectField>
          <TextAreaField
            label="Description"
            {...fieldProps('description')}
            rows={2}
            className="col-span-full"
          />
        </div>
      ) : (
        <ChoiceField
          label="Product"
          listLabel="Products"
          hint="Type a name or identifier, then choose."
          error={errors['productId']}
          selected={selected}
          load={(text) => utils.products.suggest.fetch({ text })}
          onChange={(next) => {
            setSelected(next)
            setVariant({ ...variant, linkedVariantId: '' })
          }}
        />
      )}
      <h3 className="border-t border-line pt-3 font-semibold">Variant</h3>
      <VariantFields
        values={variant}
        onChange={(change) => setVariant({ ...variant, ...change })}
        errors={errors}
        productId={isNew || selected.id === '' ? null : selected.id}
        row={null}
      />
    </DialogForm>
  )
}
