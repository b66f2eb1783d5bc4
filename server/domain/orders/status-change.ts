import { statusTransition, type OrderStatus } from './order-status.ts'

/** How long staff can undo a status change. */
export const undoSeconds = 10
/** The email waits a little longer, so that a press in the last second still counts. */
const graceSeconds = 2
/** A bulk change takes a while to make, and as long to undo. */
const ordersPerSecond = 25

/** How long the email about a change of this many orders waits. */
export const undoWindowMs = (orders: number): number =>
  (undoSeconds + graceSeconds + Math.floor((orders - 1) / ordersPerSecond)) * 1000

/**
 * What a new status does to an order. The preview and the change itself both use it.
 *
 * - `emails`: the customer gets an email. `pending` is no milestone.
 * - `canUndo`: nothing leaves the shop with it. A cancellation refunds, voids or restocks.
 */
export function computeStatusChange(
  from: { status: OrderStatus; isCancelledBeforeShipment: boolean },
  to: OrderStatus,
): { transition: ReturnType<typeof statusTransition>; emails: boolean; canUndo: boolean } {
  const transition = statusTransition(from, to)
  const changes = transition === 'update' || transition === 'cancel'
  return { transition, emails: changes && to !== 'pending', canUndo: transition === 'update' }
}

/** Who may set a status. */
export const statusPermission = (to: OrderStatus): 'refunds.create' | 'orders.ship' =>
  to === 'cancelled' ? 'refunds.create' : 'orders.ship'

/** A status change that can be undone, and until when. */
export type UndoableChange = { orderId: string; changeId: string; until: Date }

export const tooLateToUndo =
  'It’s too late to undo this: the email has already been sent. Set the status again instead.'
