import { orderBadges } from '#domain/orders/order-status.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { money } from '../frame/money.ts'
import type { PendingConfirmation, useStatusChange } from './use-status-change.ts'

type ConfirmStatusChangeProps = {
  change: Pick<ReturnType<typeof useStatusChange>, 'pending' | 'dismissPending'>
}

const nothingPending: PendingConfirmation = {
  status: 'processing',
  preview: { ids: [], cancelled: 0, refund: '0.00', restocked: 0 },
  apply: () => {},
}

/**
 * Shows how many orders a status change concerns, what it refunds and restocks, and asks to confirm
 * it.
 */
export function ConfirmStatusChange({ change: { pending, dismissPending } }: ConfirmStatusChangeProps) {
  // Stays mounted: the browser returns the focus only when the dialog closes.
  const { status, preview, apply } = pending ?? nothingPending
  const { ids, cancelled, refund, restocked } = preview
  const count = ids.length
  const orders = count === 1 ? 'this order' : `${count.toLocaleString('en-US')} orders`
  const isCancelling = status === 'cancelled'
  const { label } = orderBadges[status]
  return (
    <ConfirmDialog
      open={pending !== null}
      title={isCancelling ? `Cancel ${orders}?` : `Set ${orders} to ${label}?`}
      actionLabel={isCancelling ? (count === 1 ? 'Cancel order' : 'Cancel orders') : `Set to ${label}`}
      isDanger={isCancelling}
      isBusy={false}
      onConfirm={() => {
        dismissPending()
        apply()
      }}
      onClose={dismissPending}
    >
      {cancelled > 0 ? (
        <p>
          We’ll refund <b className="tabular-nums">{money(refund)}</b> to{' '}
          {cancelled === 1
            ? 'the customer’s card'
            : `the cards that paid for ${cancelled.toLocaleString('en-US')} orders`}{' '}
          and return <b className="tabular-nums">{restocked.toLocaleString('en-US')}</b>{' '}
          {restocked === 1 ? 'unit' : 'units'} to stock. You can’t reopen a cancelled order that was refunded.
        </p>
      ) : null}
      {isCancelling && cancelled < count ? (
        <p className="mt-2">
          {(count - cancelled).toLocaleString('en-US')} of them were already shipped or cancelled. We won’t
          refund or restock those.
        </p>
      ) : null}
      <p className="mt-2 text-muted">We’ll email the {count === 1 ? 'customer' : 'customers'}.</p>
    </ConfirmDialog>
  )
}
