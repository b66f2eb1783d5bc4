import { orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { useId, useState } from 'react'
import { useCan } from '../frame/use-can.ts'
import { allowedStatuses } from './allowed-statuses.ts'

type BulkStatusProps = {
  progress: { done: number; of: number } | null
  onApply: (status: OrderStatus) => Promise<void>
}

/** Sets one status for all selected orders. */
export function BulkStatus({ progress, onApply }: BulkStatusProps) {
  const id = useId()
  const options = allowedStatuses(useCan())
  const [status, setStatus] = useState<OrderStatus>(
    options.includes('processing') ? 'processing' : 'cancelled',
  )
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!progress) void onApply(status)
      }}
    >
      <label htmlFor={id}>Set status of selected</label>
      <div className="w-36">
        <select
          id={id}
          className="select"
          value={status}
          onChange={(event) =>
            setStatus(options.find((option) => option === event.currentTarget.value) ?? status)
          }
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {orderBadges[option].label}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="btn btn-primary" aria-disabled={progress !== null || undefined}>
        Apply
      </button>
      <span role="status" className="tabular-nums">
        {progress
          ? `${progress.done.toLocaleString('en-US')} of ${progress.of.toLocaleString('en-US')} done…`
          : ''}
      </span>
    </form>
  )
}
