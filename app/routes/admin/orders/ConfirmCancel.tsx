import { orderBadges } from '#domain/orders/order-status.ts'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'
import { money } from '../frame/money.ts'
import type { Asked, useStatusChange } from './use-status-change.ts'

type AskToCancelProps = {
  change: Pick<ReturnType<typeof useStatusChange>, 'asked' | 'forget'>
}

const nothingAsked: Asked = {
  status: 'processing',
  weight: { ids: [], calledOff: 0, refund: '0.00', restocked: 0 },
  go: () => {},
}

/** Says what setting a status gives back, or how many it is for, and asks. */
export function AskToCancel({ change: { asked, forget } }: AskToCancelProps) {
  // It stays, closed: only a dialog that is closed gives the focus back.
  const { status, weight, go } = asked ?? nothingAsked
  const { ids, calledOff, refund, restocked } = weight
  const count = ids.length
  const orders = count === 1 ? 'this order' : `${count.toLocaleString('en-US')} orders`
  const isCancelling = status === 'cancelled'
  const { label } = orderBadges[status]
  return (
    <ConfirmDialog
      open={asked !== null}
      title={isCancelling ? `Cancel ${orders}?` : `Set ${orders} to ${label}?`}
      verb={isCancelling ? (count === 1 ? 'Cancel order' : 'Cancel orders') : `Set to ${label}`}
      isDanger={isCancelling}
      isBusy={false}
      onConfirm={() => {
        forget()
        go()
      }}
      onClose={forget}
    >
      {calledOff > 0 ? (
        <p>
          <b className="tabular-nums">{money(refund)}</b> goes back to{' '}
          {calledOff === 1
            ? 'the customer’s card'
            : `the cards of ${calledOff.toLocaleString('en-US')} orders`}{' '}
          and <b className="tabular-nums">{restocked.toLocaleString('en-US')}</b>{' '}
          {restocked === 1 ? 'piece goes' : 'pieces go'} back into stock. A cancelled order that was refunded
          stays cancelled.
        </p>
      ) : null}
      {isCancelling && calledOff < count ? (
        <p className="mt-2">
          {(count - calledOff).toLocaleString('en-US')} of them have been shipped or cancelled before: nothing
          is refunded or restocked for them.
        </p>
      ) : null}
      <p className="mt-2 text-muted">{count === 1 ? 'The customer is' : 'Customers are'} told by email.</p>
    </ConfirmDialog>
  )
}
