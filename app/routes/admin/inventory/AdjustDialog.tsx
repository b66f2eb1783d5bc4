import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'
import {
  adjustmentFailed,
  receivedIntoQuarantine,
  transactionLabels,
} from '#domain/inventory/inventory-messages.ts'
import { adjustmentTypes, stockAfter, type AdjustmentType } from '#domain/inventory/inventory.ts'
import { useState } from 'react'
import { toCallFailure, trpc, type CallFailure } from '../../../http/trpc.ts'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { DialogForm } from '../frame/DialogForm.tsx'
import { useAskBeforeBack } from '../frame/use-ask-before-back.ts'
import { reverseAdjustment } from './reverse-adjustment.ts'
import { LotFields, noLot, type ChosenLot } from './LotFields.tsx'
import { VariantField } from './VariantField.tsx'
import { variantName } from './variant-name.ts'

type AdjustDialogProps = {
  /** The variant to adjust; `any` lets the admin choose one. */
  target: StockedVariant | 'any' | null
  onClose: () => void
}

/** Adds to or subtracts from a variant's stock. Closing the dialog discards the typed values. */
export const AdjustDialog = ({ target, onClose }: AdjustDialogProps) => (
  <Dialog open={target !== null} onClose={onClose} title="Adjust Stock">
    {target ? <AdjustForm preselected={target === 'any' ? null : target} onClose={onClose} /> : null}
  </Dialog>
)

/** Text that is not a number counts as 0 (specification, section 5). */
const parseChange = (typed: string): number => {
  const number = Number(typed)
  return Number.isFinite(number) ? number : 0
}

function AdjustForm({ preselected, onClose }: { preselected: StockedVariant | null; onClose: () => void }) {
  useAskBeforeBack()
  const utils = trpc.useUtils()
  // A request whose response was lost may have changed the stock. Sent again, it must not repeat
  // that.
  const [requestKey] = useState(() => crypto.randomUUID())
  const [variant, setVariant] = useState(preselected)
  const [change, setChange] = useState('')
  const [type, setType] = useState<AdjustmentType>('adjustment')
  const [notes, setNotes] = useState('')
  const [lot, setLot] = useState<ChosenLot>(noLot)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const { mutateAsync, isPending } = trpc.inventory.adjust.useMutation()

  const adjust = async (): Promise<void> => {
    if (lot.lotNumber?.trim() === '') {
      setFailure({
        code: 'INVALID',
        message: '',
        fields: { lotNumber: 'Enter the lot number.' },
        current: null,
      })
      return
    }
    try {
      const row = await mutateAsync({
        variantId: variant?.id ?? '',
        quantityChange: parseChange(change),
        transactionType: type,
        notes,
        ...lot,
        requestKey,
      })
      if (row.lotNumber !== undefined && row.lotStatus === 'quarantined') {
        showToast(receivedIntoQuarantine(row.lotNumber))
      } else {
        offerUndo(`${variant ? variantName(variant) : 'Stock'}: now ${row.quantityAfter} on hand.`, {
          undo: () => mutateAsync(reverseAdjustment(row, variant)),
          refresh: () => utils.inventory.invalidate(),
        })
      }
      onClose()
      await utils.inventory.invalidate()
    } catch (error) {
      const callFailure = toCallFailure(error)
      setFailure(callFailure)
      // A field says what to correct, and trying again would not help.
      if (Object.keys(callFailure.fields).length === 0) {
        showToast({ kind: 'error', title: 'Adjustment Failed', text: adjustmentFailed })
      }
    }
  }
  const after = variant && stockAfter(variant.stockQuantity, parseChange(change))
  return (
    <DialogForm
      ref={(element) => {
        focusFirstField(
          preselected ? (element?.querySelector<HTMLElement>('input[type=number]') ?? null) : element,
        )
      }}
      onSubmit={() => void adjust()}
      onCancel={onClose}
      submitLabel="Adjust Stock"
      isDisabled={isPending}
      problem={failure && Object.keys(failure.fields).length === 0 ? failure.message : null}
    >
      <VariantField
        label="Variant"
        selected={preselected}
        error={failure?.fields['variantId']}
        onPick={(picked) => {
          setVariant(picked)
          setLot(noLot)
        }}
        onTyped={() => setVariant(null)}
      />
      <Field
        label="Quantity change"
        type="number"
        step="1"
        inputMode="numeric"
        value={change}
        error={failure?.fields['quantityChange']}
        hint={quantityHint(variant, after)}
        onChange={(event) => setChange(event.currentTarget.value)}
      />
      {variant ? (
        <LotFields
          key={variant.id}
          variant={variant}
          chosen={lot}
          onChoose={setLot}
          isReceipt={parseChange(change) >= 0}
          errors={failure?.fields ?? {}}
        />
      ) : null}
      <SelectField
        label="Transaction type"
        value={type}
        error={failure?.fields['transactionType']}
        onChange={(event) => {
          const { value } = event.currentTarget
          setType(adjustmentTypes.find((option) => option === value) ?? 'adjustment')
        }}
      >
        {adjustmentTypes.map((adjustmentType) => (
          <option key={adjustmentType} value={adjustmentType}>
            {transactionLabels[adjustmentType]}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label="Notes"
        rows={2}
        value={notes}
        error={failure?.fields['notes']}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </DialogForm>
  )
}

function quantityHint(variant: StockedVariant | null, after: number | null): string {
  if (!variant) return 'Use a negative number to subtract.'
  const onHand = `${variant.stockQuantity.toLocaleString('en-US')} on hand`
  return after === null
    ? `${onHand}. Use a negative number to subtract.`
    : `${onHand}, ${after.toLocaleString('en-US')} after this change.`
}
