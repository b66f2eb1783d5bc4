import { insertOrderEvent } from '#db/orders/order-events.ts'
import { updateOrder } from '#db/orders/orders.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { insertRefund, insertReturnedLines, listLineRefunds } from '#db/orders/refunds.ts'
import { pipeline } from '#db/engine/sql.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import { needsClearance, type OrderStatus } from '#domain/orders/order-status.ts'
import { computeStatusChange, type UndoableChange } from '#domain/orders/status-change.ts'
import { getCardEffect, type CardEffect } from '#domain/orders/payment-hold.ts'
import { linesLeftToShip, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import { statusEvents } from '#domain/webhooks/webhook-events.ts'
import { computeCancellation, type Cancellation } from '#domain/orders/cancellation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { TemplateProps } from '../integrations/mail/mail-message.ts'
import { dispenseFills, releaseOrderFills } from '../dispensing/ship-lines.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { notifyCustomer } from './notify-customer.ts'
import { requestVoid } from './request-void.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'

/** An order's shipment; `estimatedDelivery` is `YYYY-MM-DD`. */
export type Shipment = Pick<CustomerOrder, 'trackingNumber' | 'carrier' | 'estimatedDelivery'>

type Change = Shipment & {
  status: OrderStatus
  /** Also refunds or voids the payment and restocks the items. */
  cancels: boolean
}

export type ChangeOptions = {
  /** Throws to roll the change back. It runs before the order's row is locked. */
  check?: (ctx: Context) => Promise<void>
  /**
   * Restocks cancelled lines. A bulk change collects the lines of all orders and restocks them
   * last.
   */
  restock?: (ctx: Context, lines: readonly ReturnedLine[]) => Promise<void> | void
  /** Whether it is cancelled because the authorization lapsed: the email says so. */
  hasLapsed?: boolean
  /** Whether it is cancelled because the account is being deleted: no email can follow. */
  isAccountDeleted?: boolean
  /** For staff, who can undo a change of status that is no cancellation. */
  undo?: {
    /** How long the email waits, and the change can be undone. */
    windowMs: number
    /** Collects the changes that can be undone. */
    collect: (change: UndoableChange) => void
  }
}

/**
 * Changes an order in one transaction with everything that follows: status event, refund, restock,
 * email and audit log. Returns null and changes nothing when the order has changed since it was
 * read.
 */
export async function applyOrderChange(
  ctx: Context,
  row: CustomerOrder,
  { cancels, ...change }: Change,
  { check, restock = restockLines, hasLapsed = false, isAccountDeleted = false, undo }: ChangeOptions = {},
): Promise<CustomerOrder | null> {
  const changed = {
    ...row,
    ...change,
    restockedAt: cancels ? ctx.now : row.restockedAt,
    updatedAt: ctx.now,
  }
  const made = await inTransaction(ctx, async (ctx) => {
    await check?.(ctx)
    if (!(await updateOrder(ctx.db, changed))) return null
    const statusChanged = row.status !== changed.status
    const isCancelled = statusChanged && changed.status === 'cancelled'
    const content = openContent(ctx.keys, row)
    const { refundCents, lines, card } = cancels
      ? await returnRemaining(ctx, row, content)
      : { refundCents: 0, lines: [], card: 'nothing' as const }
    const { emails, canUndo } = computeStatusChange(
      { status: row.status, isCancelledBeforeShipment: row.restockedAt !== null },
      changed.status,
    )
    const undoUntil = undo && canUndo ? new Date(ctx.now.getTime() + undo.windowMs) : null
    const changeId = newId(ctx.now.getTime())
    const held =
      undoUntil && emails && !ctx.suppressesMail
        ? { id: newId(ctx.now.getTime()), dueAt: undoUntil }
        : undefined
    await pipeline(
      statusChanged &&
        insertOrderEvent(ctx.db, {
          id: changeId,
          orderId: row.id,
          status: changed.status,
          actorId: ctx.user?.id ?? null,
          at: ctx.now,
          ...(undoUntil && {
            previousStatus: row.status,
            orderVersion: row.version + 1,
            mailId: held?.id ?? null,
            undoUntil,
          }),
        }),
      statusChanged &&
        queueWebhooks(
          ctx,
          statusEvents({ orderId: row.id, status: changed.status, previousStatus: row.status }),
        ),
      recordAudit(ctx, {
        action: isCancelled ? 'order.cancelled' : 'order.changed',
        subjectId: row.userId,
        objectId: row.id,
      }),
      notifyOfChange(ctx, {
        row,
        changed,
        content,
        refundCents,
        held,
        isLast: isAccountDeleted,
        milestone: cancels ? cancellationMilestone(card, hasLapsed) : changed.status,
      }),
    )
    if (row.hasRx && cancels) await releaseOrderFills(ctx, row.id)
    if (row.hasRx && statusChanged && needsClearance(changed.status)) {
      const lines = linesLeftToShip(content, await listLineRefunds(ctx.db, [row.id]))
      await dispenseFills(ctx, row, lines)
    }
    // Last, because other transactions wait for the stock rows until this one commits.
    if (cancels) {
      await restock(
        ctx,
        lines.map((line) => ({ ...line, orderId: row.id })),
      )
    }
    return { row: { ...changed, version: row.version + 1 }, changeId, undoUntil }
  })
  if (made === null) return null
  // After the commit: a change that was rolled back can't be undone.
  if (made.undoUntil) undo?.collect({ orderId: row.id, changeId: made.changeId, until: made.undoUntil })
  return made.row
}

/** The idempotency key of the refund that cancelling an order makes. */
export const cancellationKey = (checkoutId: string): string => `${checkoutId}:refund`

/**
 * Stores a refund of the rest of the payment, which the refund job makes, or voids a payment that
 * was not captured, and returns the units that are left to ship. While the payment is being
 * captured, the job refunds it afterwards.
 */
async function returnRemaining(
  ctx: Context,
  row: CustomerOrder,
  { lines }: OrderContent,
): Promise<Cancellation<OrderLine> & { card: CardEffect }> {
  const earlier = await getEarlierRefunds(ctx.db, [row])
  const cancellation = computeCancellation({ capturedCents: row.capturedCents, lines }, earlier(row))
  const { refundCents, lines: remaining } = cancellation
  if (row.capturedCents === 0) await requestVoid(ctx, row.id)
  const hold = row.capturedCents === 0 ? await findOrderHold(ctx.db, row.id) : null
  const id = newId(ctx.now.getTime())
  await pipeline(
    refundCents > 0 &&
      insertRefund(ctx.db, {
        id,
        idempotencyKey: cancellationKey(row.checkoutId),
        checkoutId: row.checkoutId,
        orderId: row.id,
        paymentId: row.paymentId,
        amountCents: refundCents,
        reason: 'cancelled',
        createdAt: ctx.now,
      }),
    refundCents > 0 &&
      recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id }),
    insertReturnedLines(ctx.db, { refundId: id, orderId: row.id }, remaining),
  )
  return { ...cancellation, card: getCardEffect({ ...row, refundCents, holdStatus: hold?.status ?? null }) }
}

type OrderMilestone = TemplateProps<'order-update'>['milestone']

/** The email about a cancellation says what happens to the card. */
function cancellationMilestone(card: CardEffect, hasLapsed: boolean): OrderMilestone {
  if (hasLapsed) return 'lapsed'
  if (card === 'voids') return 'voided'
  return card === 'waits' ? 'cancelled-in-capture' : 'cancelled'
}

type OrderChange = {
  row: CustomerOrder
  changed: CustomerOrder
  content: OrderContent
  refundCents: number
  milestone: OrderMilestone | 'pending'
  /** The email that waits while the change can be undone. */
  held: { id: string; dueAt: Date } | undefined
  isLast: boolean
}

/** Sends an email at each milestone, and when a shipped order gets a tracking number. */
async function notifyOfChange(
  ctx: Context,
  { row, changed, content, refundCents, milestone, held, isLast }: OrderChange,
): Promise<void> {
  const { id, userId, status, trackingNumber, carrier, estimatedDelivery } = changed
  const isTracked = trackingNumber !== null && trackingNumber !== row.trackingNumber
  const needsEmail = row.status !== status || (status === 'shipped' && isTracked)
  if (!needsEmail || milestone === 'pending') return
  await notifyCustomer(
    ctx,
    { orderId: id, email: (await findEmail(ctx, userId)) ?? content.customer.email },
    {
      milestone,
      trackingNumber,
      carrier,
      estimatedDelivery,
      amount: refundCents > 0 ? dollars(refundCents) : null,
      isLast,
    },
    held,
  )
}
