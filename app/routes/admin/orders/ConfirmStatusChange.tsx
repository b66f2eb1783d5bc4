import { orderBadges } from '#domain/orders/order-status.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { money } from '../frame/money.ts'
import type { PendingConfirmation, useStatusChange } from './use-status-change.ts'

type ConfirmStatusChangeProps = {
  change: Pick<ReturnType<typeof useStatusChange>, 'pending' | 'dismissPending'>
}

const nothingPending: PendingConfirmation = {
  status: 'processing',
  preview: { ids: [], cancelled: 0, refund: '0.00', voided: 0, restocked: 0 },
  apply: () => {},
}

/**
 * Shows how many orders a status change concerns, what it refunds and restocks, and asks to confirm
 * it.
 */
export function ConfirmStatusChange({ change: { pending, dismissPending } }: ConfirmStatusChangeProps) {
  // Stays mounted: the browser returns the focus only when the dialog closes.
  const { status, preview, apply } = pending ?? nothingPending
  const { ids, cancelled, refund, voided, restocked } = preview
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
          {voided < cancelled ? (
            <>
              We’ll refund <b className="tabular-nums">{money(refund)}</b> to{' '}
              {cancelled - voided === 1
                ? 'the customer’s card'
                : `the cards that paid for ${(cancelled - voided).toLocaleString('en-US')} orders`}
              .{' '}
            </>
          ) : null}
          {voided > 0 ? (
            <>
              {voided === 1 ? 'The card' : 'The cards'} of{' '}
              {voided === 1 ? '1 order' : `${voided.toLocaleString('en-US')} orders`} will not be
              charged.{' '}
            </>
          ) : null}
          We’ll return <b className="tabular-nums">{restocked.toLocaleString('en-US')}</b>{' '}
          {restocked === 1 ? 'unit' : 'units'} to stock. You can’t reopen an order that was cancelled before
          it shipped.
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
