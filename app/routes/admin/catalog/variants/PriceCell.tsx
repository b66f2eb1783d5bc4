import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useRef, useState } from 'react'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { trpc } from '../../../../http/trpc.ts'
import { showToast } from '../../../../ui/toasts.ts'
import { money } from '../../frame/money.ts'
import { nameOfVariant } from './variant-name.ts'
import type { EditedVariant } from './EditVariant.tsx'
import { useSaveVariant } from './use-save-variant.ts'

/** "12.5" → "12.50"; what is no amount stays as it is. */
const asAmount = (typed: string): string =>
  /^\d{1,9}(\.\d{1,2})?$/.test(typed) ? Number(typed).toFixed(2) : typed

/** A price that is changed where it stands: Enter keeps it, Escape does not. What the server refuses stays, with the reason. */
export function PriceCell({ row, onStale }: { row: VariantRow; onStale: (met: EditedVariant) => void }) {
  const { params } = useGridUrl()
  const utils = trpc.useUtils()
  const { save } = useSaveVariant()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const cell = useRef<HTMLDivElement>(null)
  /** Whether a key has decided already: leaving the field then decides nothing. */
  const isDecided = useRef(false)

  const put = (shown: VariantRow) =>
    utils.variants.list.setData(
      params,
      (page) => page && { ...page, rows: page.rows.map((one) => (one.id === shown.id ? shown : one)) },
    )
  const close = () => {
    setTyped(null)
    setError(null)
  }
  const leave = () => {
    isDecided.current = true
    cell.current?.closest('td')?.focus()
  }
  const keep = async (price: string): Promise<void> => {
    if (price === '' || Number(price) === Number(row.price ?? Number.NaN)) return close()
    setTyped(null)
    put({ ...row, price: asAmount(price) })
    const outcome = await save(row, { price })
    if (outcome.kind === 'saved') {
      setError(null)
      put(outcome.row)
      return
    }
    put(row)
    if (outcome.kind === 'stale') return onStale({ row, typed: { price }, theirs: outcome.theirs })
    setTyped(price)
    setError(outcome.fields['price'] ?? outcome.message)
    showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update product' })
  }
  const name = nameOfVariant(row)
  if (typed === null) {
    const shown = row.price === null ? 'No price' : money(row.price)
    return (
      <div ref={cell}>
        <button
          type="button"
          className="btn btn-ghost -me-1 tabular-nums"
          aria-label={`${shown}, edit price of ${name}`}
          onClick={() => setTyped(row.price ?? '')}
        >
          {shown}
        </button>
      </div>
    )
  }
  return (
    <div ref={cell} className="w-22">
      <input
        // It was asked for by a press.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="number"
        step="0.01"
        min="0"
        className="input [appearance:textfield] px-2 text-end"
        aria-label={`Price of ${name}`}
        aria-invalid={error ? true : undefined}
        value={typed}
        onFocus={(event) => {
          isDecided.current = false
          event.currentTarget.select()
        }}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            leave()
            close()
          }
          if (event.key === 'Enter') {
            leave()
            void keep(typed)
          }
          // The grid's own keys are not meant.
          event.stopPropagation()
        }}
        onBlur={() => {
          if (!isDecided.current && error === null) void keep(typed)
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
