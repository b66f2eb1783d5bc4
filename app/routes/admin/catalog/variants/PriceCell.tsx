import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useRef, useState } from 'react'
import { Amount } from '../../../../ui/data-grid/Amount.tsx'
import { CellButton } from '../../../../ui/data-grid/CellButton.tsx'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { toCallFailure, trpc } from '../../../../http/trpc.ts'
import { showToast } from '../../../../ui/toasts.ts'
import { money } from '../../frame/money.ts'
import { variantName } from './variant-name.ts'
import type { EditedVariant } from './EditVariant.tsx'
import { useSaveVariant } from './use-save-variant.ts'

/** "12.5" → "12.50"; null for text that is not an amount. */
const readAmount = (typed: string): string | null =>
  /^\d{1,9}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed).toFixed(2) : null

type PriceCellProps = { row: VariantRow; onStale: (edited: EditedVariant) => void }

/**
 * A price that is edited in place: Enter saves it, Escape cancels. A refused price stays, with the
 * reason.
 */
export function PriceCell({ row, onStale }: PriceCellProps) {
  const { params } = useGridUrl()
  const utils = trpc.useUtils()
  const { save } = useSaveVariant()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const cell = useRef<HTMLDivElement>(null)
  /** Whether a key has saved or cancelled already; the blur that follows must not save again. */
  const isHandled = useRef(false)

  const showRow = (shown: VariantRow) =>
    utils.variants.list.setData(
      params,
      (page) => page && { ...page, rows: page.rows.map((other) => (other.id === shown.id ? shown : other)) },
    )
  const close = () => {
    setTyped(null)
    setError(null)
  }
  const focusCell = () => {
    isHandled.current = true
    cell.current?.closest('td')?.focus()
  }
  const savePrice = async (price: string): Promise<void> => {
    if (price === '' || Number(price) === Number(row.price ?? Number.NaN)) return close()
    setTyped(null)
    const amount = readAmount(price)
    if (amount !== null) showRow({ ...row, price: amount })
    try {
      showRow(await save(row, { price }))
      setError(null)
    } catch (error) {
      showRow(row)
      const { current, fields, message } = toCallFailure<VariantRow>(error)
      if (current) return onStale({ row, values: { price }, current })
      setTyped(price)
      setError(fields['price'] ?? message)
      showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update product' })
    }
  }
  const name = variantName(row)
  if (typed === null) {
    const shownPrice = row.price === null ? 'No price' : money(row.price)
    return (
      <div ref={cell}>
        <CellButton
          className="btn btn-ghost -me-1 tabular-nums"
          label={`${shownPrice}, edit price of ${name}`}
          onClick={() => setTyped(row.price ?? '')}
        >
          <Amount text={shownPrice} />
        </CellButton>
      </div>
    )
  }
  return (
    <div ref={cell}>
      <input
        // The user pressed the price to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        // Not a number field: its arrows cover the digits, and it loses what is not a number.
        inputMode="decimal"
        className="input px-1 text-end"
        aria-label={`Price of ${name}`}
        aria-invalid={error ? true : undefined}
        value={typed}
        onFocus={(event) => {
          isHandled.current = false
          event.currentTarget.select()
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          // A corrected price is saved on leaving the field, like any other.
          setError(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            focusCell()
            close()
          }
          if (event.key === 'Enter') {
            focusCell()
            void savePrice(typed)
          }
          // These keys must not reach the grid's own key handling.
          event.stopPropagation()
        }}
        onBlur={() => {
          if (!isHandled.current && error === null) void savePrice(typed)
        }}
      />
      {error ? (
        <p role="alert" className="mt-1 text-start text-sm font-medium whitespace-normal text-error">
          {error}
        </p>
      ) : null}
    </div>
  )
}
