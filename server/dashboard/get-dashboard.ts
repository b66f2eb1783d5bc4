import { countActiveProducts, getLowStock, nameProducts } from '#db/dashboard/dashboard.ts'
import { sumOrders, sumOrdersByDay } from '#db/orders/order-sums.ts'
import { sumNewCases } from '#db/dispensing/case-queue.ts'
import { listOrders } from '#db/orders/list-orders.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import { countUrgentHolds } from '#db/orders/payment-holds.ts'
import { can } from '#domain/accounts/permissions.ts'
import {
  pairDays,
  periodSpan,
  type Dashboard,
  type Period,
  type RecentOrder,
  type Sales,
  type WaitingPrescriptions,
} from '#domain/dashboard/dashboard.ts'
import { daysSince } from '#domain/days.ts'
import { decimalFromCents } from '#domain/money.ts'
import { computeTotal } from '#domain/orders/orders.ts'
import { requireStaff } from '../require-user.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { listTopSales } from '../ledger/sum-sales.ts'
import { tryReadOrderContent } from '../orders/order-reader.ts'
import { countOutdatedLists } from '../screening/list-care-lists.ts'
import { getSettings } from '../settings/get-settings.ts'
import { lacksSecondPharmacist } from '../second-checks/count-second-checks.ts'

/** The number of recent orders (specification, section 9), and of rows in the other lists. */
const listLength = 5

/**
 * The dashboard: sales of a period and the previous one, and pending work, each for staff who may
 * see it. Reading the newest orders is audited. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function getDashboard(ctx: Context, days: Period): Promise<Dashboard> {
  const user = requireStaff(ctx)
  const [sales, lowStock, prescriptions, recentOrders, outdatedLists, lacksPharmacist] = await Promise.all([
    can(user, 'reports.read') ? getSales(ctx, days) : null,
    can(user, 'stock.read') ? getLowStock(ctx.reads, listLength) : null,
    can(user, 'prescriptions.review') ? getWaitingPrescriptions(ctx, user.id) : null,
    can(user, 'orders.read') ? listRecentOrders(ctx) : null,
    can(user, 'settings.write') ? countOutdatedLists(ctx) : 0,
    can(user, 'settings.write') ? lacksSecondPharmacist(ctx) : false,
  ])
  return { days, sales, lowStock, prescriptions, recentOrders, outdatedLists, lacksPharmacist }
}

async function getSales({ reads: db, keys, now }: Context, days: Period): Promise<Sales> {
  const span = periodSpan(now, days)
  const [sums, sold, activeProducts, topMedicines] = await Promise.all([
    sumOrders(db),
    sumOrdersByDay(db, span),
    countActiveProducts(db),
    listTopSales({ db, keys, now }, span, listLength).then((sales) => nameProducts(db, sales)),
  ])
  return {
    revenueCents: sums.cents,
    orders: sums.orders,
    activeProducts,
    pendingOrders: sums.pending,
    perDay: pairDays(span, days, sold),
    topMedicines,
  }
}

async function getWaitingPrescriptions(ctx: Context, userId: string): Promise<WaitingPrescriptions> {
  const { reads: db, now } = ctx
  const { captureMarginHours, twoPharmacists } = await getSettings(ctx)
  // The job warns at the same time (server/checkout/decide-before-lapse.ts).
  const before = new Date(now.getTime() + 2 * captureMarginHours * 3600_000)
  const [{ count, oldest, orders }, urgent] = await Promise.all([
    // What the first tab of the queue counts. Dues and second checks do not matter there.
    sumNewCases(db, { userId, dueBefore: before, twoPharmacists, isLicensed: false }),
    countUrgentHolds(db, { before }),
  ])
  const oldestDays = oldest && daysSince(oldest, now)
  return {
    count,
    oldestDays,
    waitingOrders: orders,
    capturesDueSoon: urgent.dueSoon,
    refusedCaptures: urgent.refused,
  }
}

async function listRecentOrders(ctx: Context): Promise<RecentOrder[]> {
  return openRecentOrders(ctx, await listOrders(ctx.reads, { userId: null, before: null, limit: listLength }))
}

async function openRecentOrders(ctx: Context, rows: readonly OrderRow[]): Promise<RecentOrder[]> {
  const subjectIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  await recordReads(ctx, { action: 'orders.read', subjectIds })
  return rows.flatMap((row) => {
    // The orders page shows one that cannot be decrypted.
    const content = tryReadOrderContent(ctx, row)
    if (!content) return []
    return {
      id: row.id,
      customerName: content.customer.name,
      status: row.status,
      total: decimalFromCents(computeTotal(content)),
      createdAt: row.createdAt.toISOString(),
    }
  })
}
