import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useState } from 'react'
import { trpc } from '../../../../http/trpc.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { isShownInForm, useStaleEdit } from '../../frame/use-stale-edit.ts'
import { DialogForm } from '../../frame/DialogForm.tsx'
import { staleFields } from './stale-variant.ts'
import { useSharedIdentifierNote } from './use-shared-identifiers.ts'
import { useSaveVariant } from './use-save-variant.ts'
import { VariantFields } from './VariantFields.tsx'
import {
  changedFields,
  findFieldErrors,
  toFormValues,
  variantLabels,
  type VariantFormValues,
} from './variant-input.ts'

/**
 * A variant to edit: with values typed before the dialog opened, and its current row if those are
 * stale.
 */
export type EditedVariant = {
  row: VariantRow
  values?: Partial<VariantFormValues>
  current?: VariantRow
}

type EditVariantProps = { edited: EditedVariant | null; onClose: () => void }

export const EditVariant = ({ edited, onClose }: EditVariantProps) => (
  <Dialog open={edited !== null} onClose={onClose} title="Edit variant">
    {edited ? <VariantForm edited={edited} onClose={onClose} /> : null}
  </Dialog>
)

function VariantForm({ edited, onClose }: { edited: EditedVariant; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { base, errors, current, problem, rebase, setErrors, run } = useStaleEdit<VariantRow>(
    edited.row,
    edited.current,
  )
  const [values, setValues] = useState<VariantFormValues>({
    ...toFormValues(edited.row),
    ...edited.values,
  })
  const { save, isPending } = useSaveVariant()
  const noteShared = useSharedIdentifierNote()

  const submit = async (): Promise<void> => {
    const rejected = findFieldErrors(values, base)
    setErrors(rejected)
    const [text] = Object.values(rejected)
    if (text) return showToast({ kind: 'error', title: 'Validation Error', text })
    const changes = changedFields(values, base)
    const failure = await run(async () => {
      await save(base, changes)
    })
    if (failure) {
      if (!isShownInForm(failure))
        showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update product' })
      return
    }
    const note = await noteShared(base.id, changes)
    showToast({
      kind: 'success',
      title: 'Product Updated',
      text: `Product has been updated successfully${note}`,
    })
    onClose()
    await Promise.all([utils.variants.invalidate(), utils.products.invalidate()])
  }
  const stale = current && {
    fields: staleFields(values, base, current),
    onUseCurrent: () => {
      setValues(toFormValues(current))
      rebase(current)
    },
    onKeepEdit: () => {
      // An untouched stock quantity follows the sales.
      if (values.stockQuantity === String(base.stockQuantity))
        setValues({ ...values, stockQuantity: String(current.stockQuantity) })
      rebase(current)
    },
  }
  return (
    <DialogForm
      onSubmit={() => void submit()}
      onCancel={onClose}
      isDisabled={isPending}
      stale={stale}
      problem={problem}
    >
      <Field label={variantLabels.productId} value={base.productName} readOnly />
      <VariantFields
        // The manufacturer field keeps its own text: a new row resets it.
        key={base.version}
        values={values}
        onChange={(change) => setValues({ ...values, ...change })}
        errors={errors}
        productId={base.productId}
        row={base}
      />
    </DialogForm>
  )
}
