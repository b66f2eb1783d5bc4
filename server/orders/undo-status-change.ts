import { statusEvents } from '#domain/webhooks/webhook-events.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { withdrawMail } from '#db/mail/outbox.ts'
import { findOrderEvent, markEventReverted, type OrderEventRow } from '#db/orders/order-events.ts'
import { updateOrder } from '#db/orders/orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import type { StatusResult } from '#domain/orders/admin-orders.ts'
import { needsClearance, type OrderStatus } from '#domain/orders/order-status.ts'
import { linesLeftToShip } from '#domain/orders/orders.ts'
import { statusPermission, tooLateToUndo } from '#domain/orders/status-change.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { reopenChangedLines } from '../dispensing/reopen-changed-lines.ts'
import { dispenseFills, undoDispensing } from '../dispensing/ship-lines.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { lockClearance, requireClearance } from './check-status-change.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'
import { returningAlertedLines } from './return-alerted-lines.ts'
import { openContent } from './sealed-order.ts'

type ChangeToUndo = { id: string; changeId: string }

/**
 * Undoes a status change before its email leaves: one transaction restores the previous status,
 * withdraws the email, and returns fills that shipping dispensed. A line whose item was changed
 * since it shipped returns to the queue. The order must be as the change left it. Undoing twice
 * does the same as once. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT when it can't
 * be undone or no longer, also when the order would ship again with a line that is not cleared any
 * more.
 */
export async function undoStatusChange(ctx: Context, { id, changeId }: ChangeToUndo): Promise<void> {
  requirePermission(ctx, 'orders.read')
  const undo = async (): Promise<true | null> => {
    const row = await findOrder(ctx, id)
    refuseOwnOrder(ctx, row)
    const event = await findOrderEvent(ctx.db, { id: changeId, orderId: id })
    if (!event) throw new AppError('NOT_FOUND', 'This change was not found.')
    requirePermission(ctx, statusPermission(event.status))
    if (event.revertedAt !== null) return true
    return restore(ctx, row, requireUndoable(ctx, row, event))
  }
  await returningAlertedLines(ctx, id, () => retryOnConflict(undo))
}

type UndoableEvent = OrderEventRow & { previousStatus: OrderStatus }

function requireUndoable(ctx: Pick<Context, 'now'>, row: CustomerOrder, event: OrderEventRow): UndoableEvent {
  const { previousStatus, orderVersion, undoUntil } = event
  if (previousStatus === null || undoUntil === null) {
    throw new AppError('CONFLICT', 'This change can’t be undone.')
  }
  if (row.version !== orderVersion) {
    throw new AppError(
      'CONFLICT',
      'The order has changed since then, so this can’t be undone. Set the status again instead.',
    )
  }
  if (ctx.now > undoUntil) throw new AppError('CONFLICT', tooLateToUndo)
  return { ...event, previousStatus }
}

/** Null when another request changed the order, or undid the change, at the same time. */
async function restore(ctx: Context, row: CustomerOrder, event: UndoableEvent): Promise<true | null> {
  const restored = { ...row, status: event.previousStatus, updatedAt: ctx.now }
  const [isOut, wasOut] = [needsClearance(row.status), needsClearance(restored.status)]
  const comesBack = row.hasRx && isOut && !wasOut
  const shipsAgain = row.hasRx && !isOut && wasOut
  return inTransaction(ctx, async (ctx) => {
    // Before the order's row, as everywhere.
    if (comesBack || shipsAgain) await lockClearance(ctx, row)
    // It may have a line that has returned to the queue since, which does not change the order
    // itself. Lots are not checked: one may have expired after it left.
    if (shipsAgain) await requireClearance(ctx, row, restored.status)
    if (!(await updateOrder(ctx.db, restored))) return null
    const { id: userId } = requireUser(ctx)
    if (!(await markEventReverted(ctx.db, { id: event.id, now: ctx.now, userId }))) return null
    // A process that has claimed the email is sending it.
    if (event.mailId !== null && !(await withdrawMail(ctx.db, event.mailId))) {
      throw new AppError('CONFLICT', tooLateToUndo)
    }
    if (comesBack) {
      const { lines } = openContent(ctx.keys, row)
      await undoDispensing(ctx, row, { dispensedAt: event.at, lines })
      await reopenChangedLines(ctx, row.id)
    }
    if (shipsAgain) {
      // A line that was cleared again in the meantime leaves with the order.
      const refunds = await listLineRefunds(ctx.db, [row.id])
      await dispenseFills(ctx, row, linesLeftToShip(openContent(ctx.keys, row), refunds))
    }
    await queueWebhooks(
      ctx,
      statusEvents({ orderId: row.id, status: restored.status, previousStatus: row.status }),
    )
    await recordAudit(ctx, { action: 'order.change-reverted', subjectId: row.userId, objectId: row.id })
    return true
  })
}

/** Orders undone at a time. */
const concurrency = 4

/**
 * Undoes the status changes of many orders, each like `undoStatusChange`. Returns a result per
 * order in the given order. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function undoStatusChanges(
  ctx: Context,
  changes: readonly ChangeToUndo[],
): Promise<StatusResult[]> {
  requirePermission(ctx, 'orders.read')
  const pending = [...changes]
  const results = new Map<string, StatusResult>()
  const work = async (): Promise<void> => {
    for (;;) {
      const next = pending.shift()
      if (!next) return
      const error = await toRowError(ctx, undoStatusChange(ctx, next))
      results.set(next.id, { id: next.id, error, changeId: null, isChanged: error === null })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return changes.flatMap(({ id }) => results.get(id) ?? [])
}
