import { dayMs, utcDay } from '../days.ts'
import type { OrderStatus } from '../orders/order-status.ts'

/**
 * The dashboard's data, all of it JSON, money as decimal text. No zod here: the page imports this
 * file.
 */

/** The selectable periods in days; the second is the default. */
export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

export const parsePeriod = (text: string | null): Period =>
  periods.find((days) => String(days) === text) ?? 30

/** The last `days` days including today, and as many before them. Days start at midnight UTC. */
export function periodSpan(now: Date, days: Period): { before: Date; from: Date; to: Date } {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const from = today - (days - 1) * dayMs
  return { before: new Date(from - days * dayMs), from: new Date(from), to: new Date(today + dayMs) }
}

/** The sales of a day: captured money less its refunds, in cents. */
export type DayFigures = { day: string; cents: number; orders: number }

/** A day, and the day at the same position in the previous period. */
export type DayPair = { now: DayFigures; before: DayFigures }

/** Every day of both periods, including days without orders. */
export function pairDays(
  { before, from }: { before: Date; from: Date },
  days: Period,
  sold: readonly DayFigures[],
): DayPair[] {
  const byDay = new Map(sold.map((figures) => [figures.day, figures]))
  const figuresOf = (start: Date, index: number): DayFigures => {
    const day = utcDay(new Date(start.getTime() + index * dayMs))
    return byDay.get(day) ?? { day, cents: 0, orders: 0 }
  }
  return Array.from({ length: days }, (_, index) => ({
    now: figuresOf(from, index),
    before: figuresOf(before, index),
  }))
}

/**
 * Compares a period's figure to the previous one: "12% more than", "about the same as"; null when
 * the previous one is 0.
 */
export function describeChange(now: number, before: number): string | null {
  if (before === 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent === 0) return 'about the same as'
  return `${Math.abs(percent).toLocaleString('en-US')}% ${percent > 0 ? 'more' : 'less'} than`
}

/** The units of a product that were sold in a period, and in the one before it. */
export type ProductSales = { productId: string; units: number; previousUnits: number }
export type TopMedicine = ProductSales & {
  name: string
  /** "oral · tablet": tells products of one name apart. */
  kind: string
}

export type LowStockRow = {
  variantId: string
  name: string
  brandName: string | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  stockQuantity: number
}

/** Variants with 10 or fewer on hand. Both counts stop one above `countLimit`. */
export type LowStock = { lowCount: number; outOfStockCount: number; rows: LowStockRow[] }
export const countLimit = 1000

export type WaitingPrescriptions = {
  /** The new cases of the queue: orders with prescription lines, and lone prescriptions. */
  count: number
  /** Whole days since the oldest arrived; null when there are none. */
  oldestDays: number | null
  /** Those of them that are paid orders: they wait for a decision, or for what follows it. */
  waitingOrders: number
  /** Authorized payments that are captured or lapse soon. */
  capturesDueSoon: number
  /** Captures that the payment provider refused. */
  refusedCaptures: number
}

export type RecentOrder = {
  id: string
  customerName: string
  status: OrderStatus
  total: string
  createdAt: string
}

export type Sales = {
  revenueCents: number
  orders: number
  activeProducts: number
  pendingOrders: number
  perDay: DayPair[]
  topMedicines: TopMedicine[]
}

/** The parts that a reader may not see are null. */
export type Dashboard = {
  /** How many lists for screening orders admins should renew; 0 for other staff. */
  outdatedLists: number
  /**
   * Whether no second pharmacist is left for the check that the shop requires; false for other
   * staff.
   */
  lacksPharmacist: boolean
  days: Period
  sales: Sales | null
  lowStock: LowStock | null
  prescriptions: WaitingPrescriptions | null
  recentOrders: RecentOrder[] | null
}
