import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { useState } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { trpc } from '../../../http/trpc.ts'
import { Field, SelectField } from '../../../ui/Field.tsx'

/** A blank number is a lot that is not named yet. */
export type ChosenLot = { lotNumber: string | null; expiryDate: string | null }
export const noLot: ChosenLot = { lotNumber: null, expiryDate: null }

type LotFieldsProps = {
  variant: StockedVariant
  chosen: ChosenLot
  onChoose: (lot: ChosenLot) => void
  /** Units are added, so the lot may be new. */
  isReceipt: boolean
  errors: Readonly<Record<string, string>>
}

const newLot = 'new'

/** The lot of adjusted units: none, one that the variant has, or a new one. */
export function LotFields({ variant, chosen, onChoose, isReceipt, errors }: LotFieldsProps) {
  const { data: lots = [] } = trpc.inventory.lots.useQuery({ variantId: variant.id })
  const [isNew, setNew] = useState(false)
  const inNoLot = lots.reduce((rest, { quantity }) => rest - quantity, variant.stockQuantity)
  return (
    <>
      <SelectField
        label="Lot"
        value={isNew ? newLot : `lot ${chosen.lotNumber ?? ''}`}
        error={isNew ? undefined : errors['lotNumber']}
        onChange={({ currentTarget: { value } }) => {
          setNew(value === newLot)
          onChoose({ ...noLot, lotNumber: value === newLot ? '' : value.slice('lot '.length) || null })
        }}
      >
        <option value="lot ">No lot ({Math.max(0, inNoLot).toLocaleString('en-US')})</option>
        {lots.map(({ id, lotNumber, expiresOn, quantity }) => (
          <option key={id} value={`lot ${lotNumber}`}>
            {lotNumber}, expires {formatDay(expiresOn)} ({quantity.toLocaleString('en-US')})
          </option>
        ))}
        {isReceipt || isNew ? <option value={newLot}>Another lot</option> : null}
      </SelectField>
      {isNew ? (
        <>
          <Field
            label="Lot number"
            value={chosen.lotNumber ?? ''}
            error={errors['lotNumber']}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => onChoose({ ...chosen, lotNumber: value })}
          />
          <Field
            label="Expiry date"
            type="date"
            value={chosen.expiryDate ?? ''}
            error={errors['expiryDate']}
            hint="If the package shows only a month, enter its last day."
            onChange={({ currentTarget: { value } }) => onChoose({ ...chosen, expiryDate: value })}
          />
        </>
      ) : null}
    </>
  )
}
