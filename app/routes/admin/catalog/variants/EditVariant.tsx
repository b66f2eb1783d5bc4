import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useState } from 'react'
import { trpc } from '../../../../http/trpc.ts'
import { Button } from '../../../../ui/Button.tsx'
import { beginHere } from '../../../../ui/data-grid/focus-first-field.ts'
import { StaleNotice } from '../../../../ui/data-grid/StaleNotice.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { showToast } from '../../../../ui/toasts.ts'
import { staleFields } from './stale-variant.ts'
import { useSaveVariant } from './use-save-variant.ts'
import { VariantFields } from './VariantFields.tsx'
import { changesOf, missingOf, typedOf, variantLabels, type VariantTyped } from './variant-input.ts'

/** A variant that is edited, with what was typed of it already, and how it stands when somebody has changed it meanwhile. */
export type EditedVariant = { row: VariantRow; typed?: Partial<VariantTyped>; theirs?: VariantRow }

type EditVariantProps = { edited: EditedVariant | null; onClose: () => void }

export const EditVariant = ({ edited, onClose }: EditVariantProps) => (
  <Dialog open={edited !== null} onClose={onClose} title="Edit variant">
    {edited ? <VariantForm {...edited} onClose={onClose} /> : null}
  </Dialog>
)

function VariantForm({
  row: atFirst,
  typed: typedBefore,
  theirs: metBefore,
  onClose,
}: EditedVariant & { onClose: () => void }) {
  const utils = trpc.useUtils()
  const [row, setRow] = useState(atFirst)
  const [typed, setTyped] = useState<VariantTyped>({ ...typedOf(atFirst), ...typedBefore })
  const [theirs, setTheirs] = useState<VariantRow | null>(metBefore ?? null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { save, isPending } = useSaveVariant()

  const submit = async (): Promise<void> => {
    const missing = missingOf(typed, row)
    if (typed.manufacturer.trim() !== '' && typed.manufacturerId === '') {
      missing['manufacturerId'] = 'Please choose one of the list, or leave it blank.'
    }
    setErrors(missing)
    const [problem] = Object.values(missing)
    if (problem) return showToast({ kind: 'error', title: 'Validation Error', text: problem })
    const outcome = await save(row, changesOf(typed, row))
    if (outcome.kind === 'stale') return setTheirs(outcome.theirs)
    if (outcome.kind === 'refused') {
      setErrors(outcome.fields)
      return showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update product' })
    }
    showToast({ kind: 'success', title: 'Product Updated', text: 'Product has been updated successfully' })
    onClose()
    await Promise.all([utils.variants.invalidate(), utils.products.invalidate()])
  }
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
          fields={staleFields(typed, row, theirs)}
          onTake={() => {
            setRow(theirs)
            setTyped(typedOf(theirs))
            setTheirs(null)
          }}
          onKeep={() => {
            setRow(theirs)
            // What sells meanwhile is nobody's edit.
            if (typed.stockQuantity === String(row.stockQuantity))
              setTyped({ ...typed, stockQuantity: String(theirs.stockQuantity) })
            setTheirs(null)
          }}
        />
      ) : null}
      <Field label={variantLabels.productId} value={row.productName} readOnly />
      <VariantFields
        // The maker's field keeps its own text: it begins anew with another row.
        key={row.version}
        typed={typed}
        onChange={(change) => setTyped({ ...typed, ...change })}
        errors={errors}
        productId={row.productId}
        row={row}
      />
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" disabled={isPending || theirs !== null}>
          Save
        </Button>
      </div>
    </form>
  )
}
