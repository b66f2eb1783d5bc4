import { missingProductFields, selectProduct } from '#domain/catalog/catalog-messages.ts'
import { useState } from 'react'
import { failureOf, trpc } from '../../../../http/trpc.ts'
import { Button } from '../../../../ui/Button.tsx'
import { beginHere } from '../../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../../ui/Field.tsx'
import { Plus } from '../../../../ui/icons.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { ChoiceField } from '../products/ChoiceField.tsx'
import { PictureField } from '../products/PictureField.tsx'
import { VariantFields } from './VariantFields.tsx'
import { blankVariant, missingOf, wireOf } from './variant-input.ts'

/** Its button and its dialog: adds a variant to a product that is there, or a product with its first variant. */
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
  const [chosen, choose] = useState({ id: '', label: '' })
  const [product, setProduct] = useState(blankProduct)
  const [variant, setVariant] = useState(blankVariant)
  const [isSending, setSending] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  const missing = (): Record<string, string> => {
    const found: Record<string, string> = {}
    if (isNew && product.name.trim() === '') found['name'] = missingProductFields
    if (isNew && product.image.trim() === '') found['image'] = missingProductFields
    if (!isNew && chosen.id === '') found['productId'] = selectProduct
    Object.assign(found, missingOf(variant, null))
    if (variant.manufacturer.trim() !== '' && variant.manufacturerId === '') {
      found['manufacturerId'] = 'Please choose one of the list, or leave it blank.'
    }
    return found
  }
  const submit = async (): Promise<void> => {
    const found = missing()
    setErrors(found)
    const [problem] = Object.values(found)
    if (problem) return showToast({ kind: 'error', title: 'Validation Error', text: problem })
    try {
      await create.mutateAsync({
        product: isNew
          ? {
              ...product,
              category: product.category === 'OTC' ? 'OTC' : 'Rx',
              description: product.description || null,
            }
          : null,
        variant: { ...wireOf(variant), productId: isNew ? 'new' : chosen.id },
      })
    } catch (error) {
      const { code, message, fields } = failureOf(error)
      // The product's fields and the variant's have different names.
      const own = Object.entries(fields).map(([path, words]) => [
        path.replace(/^(product|variant)\./, ''),
        words,
      ])
      setErrors(Object.fromEntries(own))
      const otherwise = isNew ? 'Failed to create product' : 'Failed to create product variant'
      const text = Object.values(fields)[0] ?? (code === null ? otherwise : message)
      return showToast({ kind: 'error', title: 'Create Failed', text })
    }
    showToast({ kind: 'success', title: 'Product Created', text: 'Product has been created successfully' })
    onClose()
    await Promise.all([utils.variants.invalidate(), utils.products.invalidate()])
  }
  const text = (name: keyof typeof product) => ({
    name,
    value: product[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      setProduct({ ...product, [name]: event.currentTarget.value }),
  })
  return (
    <form
      ref={beginHere}
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
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
          }}
        />
        Create new product (medicine)
      </label>
      {isNew ? (
        <div className="form-grid">
          <Field label="Name" {...text('name')} required />
          <PictureField
            value={product.image}
            error={errors['image']}
            hint="A path of this site or an https address"
            required
            onChange={(image) => {
              // What was typed while a picture was on its way stays.
              setProduct((now) => ({ ...now, image }))
              setErrors((now) => ({ ...now, image: '' }))
            }}
            onSending={setSending}
          />
          <SelectField label="Category" {...text('category')}>
            <option value="Rx">Rx</option>
            <option value="OTC">OTC</option>
          </SelectField>
          <TextAreaField label="Description" {...text('description')} rows={2} className="col-span-full" />
        </div>
      ) : (
        <ChoiceField
          label="Product"
          listLabel="Products"
          hint="Type a name or a code and choose"
          error={errors['productId']}
          chosen={chosen}
          load={(typed) => utils.products.offer.fetch({ typed })}
          onChange={(next) => {
            choose(next)
            setVariant({ ...variant, linkedVariantId: '' })
          }}
        />
      )}
      <h3 className="border-t border-line pt-3 font-semibold">Variant</h3>
      <VariantFields
        typed={variant}
        onChange={(change) => setVariant({ ...variant, ...change })}
        errors={errors}
        productId={isNew || chosen.id === '' ? null : chosen.id}
        row={null}
      />
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={create.isPending || isSending}>
          Save
        </Button>
      </div>
    </form>
  )
}
