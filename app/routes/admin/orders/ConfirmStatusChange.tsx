import { orderBadges } from '#domain/orders/order-status.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { Effects } from './StatusForm.tsx'
import type { PendingConfirmation, useStatusChange } from './use-status-change.ts'

type ConfirmStatusChangeProps = {
  change: Pick<ReturnType<typeof useStatusChange>, 'pending' | 'dismissPending'>
}

const nothingPending: PendingConfirmation = {
  status: 'processing',
  preview: {
    ids: [],
    refused: [],
    warnings: [],
    changed: 0,
    emailed: 0,
    undoable: 0,
    cancelled: 0,
    refund: '0.00',
    voided: 0,
    restocked: 0,
  },
  apply: () => {},
}

/** Asks again before a change that can't be undone, or that concerns more than is on the page. */
export function ConfirmStatusChange({ change: { pending, dismissPending } }: ConfirmStatusChangeProps) {
  // Stays mounted: the browser returns the focus only when the dialog closes.
  const { status, preview, apply } = pending ?? nothingPending
  const count = preview.ids.length
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
      <Effects status={status} preview={preview} />
    </ConfirmDialog>
  )
}
