import { money } from '../frame/money.ts'
import { refundableQuantity, type LineRefund, type TypedRefund } from './use-refund-lines.ts'

type RefundLineProps = {
  refund: LineRefund
  /** The line's name, which no other line of the order has. */
  name: string
  onChange: (to: Partial<TypedRefund>) => void
}

/** A line of the refund form: its units, and whether they return to stock. */
export function RefundLine({ refund: { line, typed, restock, units }, name, onChange }: RefundLineProps) {
  const remaining = refundableQuantity(line)
  const errorId = `refund-error-${line.id}`
  return (
    <li className="grid gap-1 border-b border-line pb-3">
      <span className="font-semibold wrap-anywhere">{name}</span>
      {remaining === 0 ? (
        <span className="text-muted">
          {line.quantity === 1 ? 'Already refunded.' : `All ${line.quantity} are already refunded.`}
        </span>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <label className="flex items-center gap-2">
            <span>
              Refund<span className="sr-only"> of {name}</span>
            </span>
            <span className="w-20">
              <input
                // A number field would hide what it can't read.
                inputMode="numeric"
                autoComplete="off"
                className="input"
                value={typed}
                aria-invalid={units === null || undefined}
                aria-describedby={units === null ? errorId : undefined}
                onChange={(event) => onChange({ typed: event.currentTarget.value })}
              />
            </span>
            <span className="whitespace-nowrap text-muted">
              of {remaining} at {money(line.price)}
            </span>
          </label>
          {line.isTracked ? (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                className="grid-check"
                checked={restock}
                onChange={(event) => onChange({ restock: event.currentTarget.checked })}
              />
              <span>
                Return to stock<span className="sr-only">, {name}</span>
              </span>
            </label>
          ) : null}
          {units === null ? (
            <p id={errorId} className="basis-full text-sm font-medium text-error">
              Enter a whole number from 0 to {remaining}.
            </p>
          ) : null}
        </div>
      )}
    </li>
  )
}
