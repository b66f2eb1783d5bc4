import { lockUser } from '#db/accounts/users.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { computeCancellation } from '#domain/orders/cancellation.ts'
import { needsClearance, orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { linesLeftToShip, type OrderContent } from '#domain/orders/orders.ts'
import { getPaymentState, type PaymentState } from '#domain/orders/payment-hold.ts'
import { computeStatusChange } from '#domain/orders/status-change.ts'
import { findNewAlerts } from '../alerts/find-new-alerts.ts'
import type { Context } from '../context.ts'
import { findShippingProblems } from '../dispensing/ship-lines.ts'
import { findLotProblems } from '../inventory/find-lot-problems.ts'
import { checkRefundAmount } from './check-refund-amount.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { findRecallProblems } from './find-recall-problems.ts'
import { openContent } from './sealed-order.ts'
import { linesToShip, visibleProblems } from './visible-lines.ts'

/**
 * Throws when an order can't get this status now, with the reason: CONFLICT, FORBIDDEN for too
 * large a refund, CODE_REQUIRED. The preview and the change itself both use it.
 */
export async function checkStatusChange(ctx: Context, row: CustomerOrder, to: OrderStatus): Promise<void> {
  const { transition } = computeStatusChange(
    { status: row.status, isCancelledBeforeShipment: row.restockedAt !== null },
    to,
  )
  if (transition === 'cancel') await checkCancellation(ctx, row)
  if (transition !== 'none' && row.hasRx && needsClearance(to)) {
    await requireClearance(ctx, row, to)
    await requireCapture(ctx, row, to)
  }
  // What has left the pharmacy may be in a lot that expired since.
  if (needsClearance(to) && !needsClearance(row.status)) await requireUsableLots(ctx, row, to)
}

/** Cancelling refunds the rest of the payment. A void is not a refund. */
async function checkCancellation(ctx: Context, row: CustomerOrder): Promise<void> {
  const earlier = (await getEarlierRefunds(ctx.db, [row]))(row)
  const { lines } = openContent(ctx.keys, row)
  const { refundCents } = computeCancellation({ capturedCents: row.capturedCents, lines }, earlier)
  await checkRefundAmount(ctx, earlier.refundedCents + refundCents)
}

/** Throws CONFLICT while a line holds a lot that must not leave, or a recall keeps it here. */
async function requireUsableLots(ctx: Context, row: CustomerOrder, to: OrderStatus): Promise<void> {
  const content = openContent(ctx.keys, row)
  const lines = await listLinesToShip(ctx, row, content)
  const lots = await findLotProblems(ctx, lines, null)
  throwProblems(visibleProblems(ctx, row, lines, lots.map(ofKind('lot'))), to)
  const recalls = await findRecallProblems(ctx, lines, content)
  throwProblems(visibleProblems(ctx, row, lines, recalls.map(ofKind('recall'))), to)
}

const ofKind =
  <Kind extends 'lot' | 'recall'>(kind: Kind) =>
  ({ lineId, message }: { lineId: string; message: string }) => ({ lineId, message, kind })

/** Units that are refunded or back in stock do not ship. Their lots and recalls do not matter. */
async function listLinesToShip(ctx: Context, row: CustomerOrder, content: OrderContent) {
  const refunds = await listLineRefunds(ctx.db, [row.id])
  return linesToShip(ctx, row, linesLeftToShip(content, refunds))
}

/** Cleared lines have alerts that no pharmacist has decided on. */
export class NewAlertsError extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}

function throwProblems(problems: readonly { message: string }[], to: OrderStatus): void {
  if (problems.length > 0) throw new AppError('CONFLICT', describeProblems(problems, to))
}

const describeProblems = (problems: readonly { message: string }[], to: OrderStatus): string =>
  `This order can’t be ${orderBadges[to].label.toLowerCase()}: ${problems.map(({ message }) => message).join(' ')}`

/**
 * Throws CONFLICT unless a pharmacist has cleared every prescription line that ships and decided
 * on what the lists say today, with the reason of each line: a `NewAlertsError` when all are
 * cleared and only alerts are undecided. The capture and lots are checked after it. Staff who may
 * not see medicines read no names.
 */
export async function requireClearance(ctx: Context, row: CustomerOrder, to: OrderStatus): Promise<void> {
  const { id: orderId, userId } = row
  const content = openContent(ctx.keys, row)
  const lines = await listLinesToShip(ctx, row, content)
  throwProblems(await findShippingProblems(ctx, { orderId, userId, lines }), to)
  const alerts = await findNewAlerts(ctx, { orderId, userId, content, lines })
  if (alerts.length > 0) throw new NewAlertsError(describeProblems(alerts, to))
}

/** The cleared lines that `requireClearance` refuses because of new alerts. */
export async function findAlertedLines(ctx: Context, row: CustomerOrder): Promise<{ lineId: string }[]> {
  const content = openContent(ctx.keys, row)
  const lines = await listLinesToShip(ctx, row, content)
  return findNewAlerts(ctx, { orderId: row.id, userId: row.userId, content, lines })
}

/**
 * Until the transaction ends, keeps pharmacists from editing, closing or reopening what clears the
 * order's lines: they lock its customer, too.
 */
export const lockClearance = async (ctx: Context, row: CustomerOrder): Promise<void> => {
  await lockUser(ctx.db, row.userId)
}

/** Throws CONFLICT unless the order's payment was captured. */
async function requireCapture(ctx: Context, row: CustomerOrder, to: OrderStatus): Promise<void> {
  if (row.capturedCents > 0) return
  const state = getPaymentState(await findOrderHold(ctx.db, row.id))
  throw new AppError(
    'CONFLICT',
    `This order can’t be ${orderBadges[to].label.toLowerCase()}: ${captureProblems[state]}.`,
  )
}

const captureProblems = {
  authorized: 'its payment is authorized, but not captured yet',
  capturing: 'its payment is being captured',
  refused: 'the capture of its payment was refused',
  charged: 'its payment was not captured',
  voiding: 'its payment is being voided',
  voided: 'its payment was voided',
  lapsed: 'the authorization of its payment has lapsed',
} as const satisfies Record<PaymentState, string>
