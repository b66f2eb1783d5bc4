import {
  countActiveProducts,
  listTopMedicines,
  getLowStock,
  sumOrders,
  sumOrdersByDay,
  sumWaitingPrescriptions,
} from '#db/dashboard/dashboard.ts'
import { listOrders, type OrderRow } from '#db/orders/orders.ts'
import {
  pairDays,
  periodSpan,
  type Dashboard,
  type Period,
  type RecentOrder,
} from '#domain/dashboard/dashboard.ts'
import { decimalFromCents } from '#domain/money.ts'
import { requireAdmin } from '../require-user.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readCustomerName } from '../orders/order-reader.ts'

/** The number of recent orders (specification, section 9), and of rows in the other lists. */
const listLength = 5

const dayMs = 24 * 3600 * 1000

/**
 * The dashboard of an admin: sales of a period and the previous one, and pending work. Reading the
 * newest orders is audited. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function getDashboard(ctx: Context, days: Period): Promise<Dashboard> {
  requireAdmin(ctx)
  const { db } = ctx
  const span = periodSpan(ctx.now, days)
  const [sums, sold, activeProducts, topMedicines, lowStock, waiting, newest] = await Promise.all([
    sumOrders(db),
    sumOrdersByDay(db, span),
    countActiveProducts(db),
    listTopMedicines(db, span, listLength),
    getLowStock(db, listLength),
    sumWaitingPrescriptions(db),
    listOrders(db, { userId: null, before: null, limit: listLength }),
  ])
  return {
    days,
    revenueCents: sums.cents,
    orders: sums.orders,
    activeProducts,
    pendingOrders: sums.pending,
    perDay: pairDays(span, days, sold),
    topMedicines,
    lowStock,
    prescriptions: {
      count: waiting.count,
      oldestDays:
        waiting.oldest && Math.max(0, Math.floor((ctx.now.getTime() - waiting.oldest.getTime()) / dayMs)),
      waitingOrders: waiting.waitingOrders,
    },
    recentOrders: await openRecentOrders(ctx, newest),
  }
}

async function openRecentOrders(ctx: Context, rows: readonly OrderRow[]): Promise<RecentOrder[]> {
  const subjectIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  await recordReads(ctx, { action: 'orders.read', subjectIds })
  return rows.map((row) => ({
    id: row.id,
    customerName: readCustomerName(ctx.keys, row),
    status: row.status,
    total: decimalFromCents(row.totalCents),
    createdAt: row.createdAt.toISOString(),
  }))
}
