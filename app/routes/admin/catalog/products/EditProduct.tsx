import { missingProductFields } from '#domain/catalog/catalog-messages.ts'
import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { useState } from 'react'
import { failureOf, trpc } from '../../../../http/trpc.ts'
import { Button } from '../../../../ui/Button.tsx'
import { beginHere } from '../../../../ui/data-grid/focus-first-field.ts'
import { StaleNotice } from '../../../../ui/data-grid/StaleNotice.tsx'
import { offerUndo } from '../../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../../ui/Field.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { staleFields } from '../../frame/use-row-edit.ts'
import { PictureField } from './PictureField.tsx'

const labels = { name: 'Name', description: 'Description', image: 'Image URL', category: 'Category' } as const
type Name = keyof typeof labels
type Typed = Record<Name, string>

const typedOf = ({ name, description, image, category }: ProductRow): Typed => ({
  name,
  description: description ?? '',
  image: image ?? '',
  category,
})

/** What differs from the row that was edited. */
function changesOf(typed: Typed, row: ProductRow) {
  const before = typedOf(row)
  const { name, description, image, category } = typed
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
  const [row, setRow] = useState(edited)
  const [typed, setTyped] = useState(typedOf(edited))
  const [theirs, setTheirs] = useState<ProductRow | null>(null)
  const [isSending, setSending] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const refresh = () => Promise.all([utils.products.invalidate(), utils.variants.invalidate()])

  /** A change of one of its variants changes the row's version, too, and stands in nobody's way. */
  const send = async (version: number): Promise<ProductRow> => {
    try {
      return await update.mutateAsync({ id: row.id, version, ...changesOf(typed, row) })
    } catch (error) {
      const current = failureOf(error).current as ProductRow | null
      const isEdited = current !== null && Object.keys(changesOf(typedOf(current), row)).length > 0
      if (current === null || isEdited || current.version === version) throw error
      return send(current.version)
    }
  }
  const submit = async (): Promise<void> => {
    const isMissing = (name: 'name' | 'image') => typed[name].trim() === '' && typedOf(row)[name] !== ''
    const missing = (['name', 'image'] as const).filter(isMissing)
    setErrors(Object.fromEntries(missing.map((name) => [name, missingProductFields])))
    if (missing.length > 0)
      return showToast({ kind: 'error', title: 'Validation Error', text: missingProductFields })
    try {
      const before = row
      const saved = await send(row.version)
      const back = changesOf(typedOf(before), saved)
      // A drawn picture cannot be asked for again: a blank address is refused.
      if (back.image !== '') {
        offerUndo(`${saved.name} was changed.`, async () => {
          await update.mutateAsync({ id: saved.id, version: saved.version, ...back })
          await refresh()
        })
      }
      showToast({ kind: 'success', title: 'Product Updated', text: 'Product has been updated successfully' })
      onClose()
      await refresh()
    } catch (error) {
      const { current, fields } = failureOf(error)
      setErrors(fields)
      if (current === null)
        return showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update product' })
      setTheirs(current as ProductRow)
    }
  }
  const text = (name: Name) => ({
    label: labels[name],
    name,
    value: typed[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
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
      {theirs ? (
        <StaleNotice
          fields={staleFields(labels, typed, typedOf(theirs))}
          onTake={() => {
            setRow(theirs)
            setTyped(typedOf(theirs))
            setTheirs(null)
          }}
          onKeep={() => {
            setRow(theirs)
            setTheirs(null)
          }}
        />
      ) : null}
      <Field {...text('name')} required />
      <TextAreaField {...text('description')} rows={5} />
      <PictureField
        value={typed.image}
        error={errors['image']}
        hint={row.image === null ? 'Blank: the picture is drawn' : 'A path of this site or an https address'}
        onChange={(image) => {
          // What was typed while a picture was on its way stays.
          setTyped((now) => ({ ...now, image }))
          setErrors((now) => ({ ...now, image: '' }))
        }}
        onSending={setSending}
      />
      <SelectField {...text('category')}>
        <option value="Rx">Rx</option>
        <option value="OTC">OTC</option>
      </SelectField>
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={update.isPending || isSending || theirs !== null}>
          Save
        </Button>
      </div>
    </form>
  )
}
