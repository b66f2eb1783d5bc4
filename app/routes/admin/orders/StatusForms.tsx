import type { AdminOrderDetails, StatusChangePreview } from '#domain/orders/admin-orders.ts'
import { orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { canApply } from './status-effects.ts'
import { Effects } from './StatusForm.tsx'

type ApplyStatusProps = { order: AdminOrderDetails; status: OrderStatus; preview: StatusChangePreview }

/** A status that was chosen without scripts: what it does, and the button that applies it. */
export const ApplyStatus = ({ order, status, preview }: ApplyStatusProps) => (
  <form method="post" action={adminPaths.order(order.id)} className="card mb-3 grid gap-3 p-3">
    <input type="hidden" name="status" value={status} />
    <input type="hidden" name="expectedStatus" value={order.status} />
    <p>
      <b>
        Set the status from {orderBadges[order.status].label} to {orderBadges[status].label}?
      </b>
    </p>
    <div>
      <Effects status={status} preview={preview} />
    </div>
    <div className="flex flex-wrap gap-2">
      <LinkButton kind="quiet" to={adminPaths.order(order.id)}>
        Cancel
      </LinkButton>
      <Button kind={status === 'cancelled' ? 'danger' : 'primary'} disabled={!canApply(preview)}>
        Apply
      </Button>
    </div>
  </form>
)

/** The button that undoes the last change. With scripts, the bar at the bottom has it. */
export const UndoStatus = ({
  undo: { changeId, status },
}: {
  undo: NonNullable<AdminOrderDetails['undo']>
}) => (
  <form method="post" className="card mb-3 hidden flex-wrap items-center gap-3 p-3 noscript:flex">
    <input type="hidden" name="intent" value="undo" />
    <input type="hidden" name="changeId" value={changeId} />
    The status is now {orderBadges[status].label}. We’ll send the email in a few seconds.
    <Button>Undo</Button>
  </form>
)
