import { listAdminOrderRows, type AdminOrderRow } from '#db/orders/admin-orders.ts'
import { listLineStatuses } from '#db/dispensing/line-reviews.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { combineClearances, getClearance } from '#domain/dispensing/dispensing.ts'
import type { GridPage } from '#domain/grid.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { AdminOrder, OrderQuery } from '#domain/orders/admin-orders.ts'
import { needsClearance } from '#domain/orders/order-status.ts'
import { computeTotal, linesLeftToShip, remainingLines, type OrderContent } from '#domain/orders/orders.ts'
import { getPaymentState } from '#domain/orders/payment-hold.ts'
import { searchTokens } from '../accounts/find-customers.ts'
import { requirePermission } from '../require-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readPrescriptionStatus } from '../prescriptions/prescription-reader.ts'
import { getSettings } from '../settings/get-settings.ts'
import { tryReadOrderContent } from './order-reader.ts'

const unreadableCustomer = 'This order can’t be read'

/**
 * A page of all customers' orders for the back office, without those of deleted users. Records the
 * read in each customer's access log. An order that cannot be decrypted says so in place of its
 * customer, with no items and what was captured as its total. A prescription that cannot be
 * decrypted counts as missing. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listAdminOrders(ctx: Context, query: OrderQuery): Promise<GridPage<AdminOrder>> {
  requirePermission(ctx, 'orders.read')
  const page = await listAdminOrderRows(
    ctx.reads,
    query,
    await searchTokens(ctx, query.q, 'current-and-former'),
  )
  const subjectIds = new Set(page.rows.flatMap(({ userId }) => userId ?? []))
  await recordReads(ctx, { action: 'orders.read', subjectIds: [...subjectIds] })
  const reviewOf = await findReviews(ctx, page.rows)
  return {
    ...page,
    rows: page.rows.map((row) => {
      const content = tryReadOrderContent(ctx, row)
      return { ...toAdminOrder(ctx, row, content), review: reviewOf(row, content) }
    }),
  }
}

type Review = NonNullable<AdminOrder['review']> | null

/** Finds the review status of these orders by the rules for shipping (ship-lines.ts). */
async function findReviews(
  ctx: Context,
  rows: readonly AdminOrderRow[],
): Promise<(row: AdminOrderRow, content: OrderContent | null) => Review> {
  const ids = rows.flatMap(({ id, hasRx, status }) => (hasRx && status !== 'cancelled' ? [id] : []))
  if (ids.length === 0) return () => null
  const [statuses, refunds, { twoPharmacists }] = await Promise.all([
    listLineStatuses(ctx.reads, ids),
    listLineRefunds(ctx.reads, ids),
    getSettings(ctx),
  ])
  return ({ id, status }, content) => {
    const left = content && new Set(linesLeftToShip(content, refunds).map((line) => line.id))
    // What has shipped needs no further check.
    const rule = { twoPharmacists: twoPharmacists && !needsClearance(status) }
    // Nothing of a refused line is left.
    const lines = (statuses.get(id) ?? []).filter(
      (line) => line.status === 'refused' || left?.has(line.lineId) !== false,
    )
    return combineClearances(lines.map((line) => getClearance(line, rule)))
  }
}

function toAdminOrder(
  ctx: Context,
  row: AdminOrderRow,
  content: OrderContent | null,
): Omit<AdminOrder, 'review'> {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    customerName: content?.customer.name ?? unreadableCustomer,
    customerEmail: content?.customer.email ?? '',
    itemCount: content ? remainingLines(content).reduce((sum, { quantity }) => sum + quantity, 0) : 0,
    total: decimalFromCents(content ? computeTotal(content) : row.capturedCents),
    captured: decimalFromCents(row.capturedCents),
    refunded: decimalFromCents(row.refundedCents),
    payment: getPaymentState(
      row.holdStatus === null ? null : { status: row.holdStatus, refusedAt: row.refusedAt },
    ),
    status: row.status,
    isCancelledBeforeShipment: row.restockedAt !== null,
    prescription: row.hasRx ? getPrescriptionStatus(ctx, row) : null,
  }
}

function getPrescriptionStatus(ctx: Context, row: AdminOrderRow): AdminOrder['prescription'] {
  const { prescriptionId: id, prescriptionStatus: status, userId, sealedDetails, wrappedKey } = row
  if (id === null || status === null || userId === null || sealedDetails === null || wrappedKey === null)
    return 'missing'
  try {
    const key = unwrapUserKey(ctx, userId, wrappedKey)
    return readPrescriptionStatus(key, { id, status, sealedDetails }, ctx.now)
  } catch (error) {
    ctx.log.error({ err: error, prescriptionId: id }, 'prescription could not be decrypted')
    return 'missing'
  }
}
