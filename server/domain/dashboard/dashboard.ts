import type { OrderStatus } from '../orders/order-status.ts'

/** What the dashboard shows; all of it is JSON, money decimal text. Without zod: its page imports it. */

/** How many days one can look back; the second is the default. */
export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

export const periodOf = (text: string | null): Period => periods.find((days) => String(days) === text) ?? 30

const dayMs = 24 * 3600 * 1000

/** The last days with today, and as many before them; each begins at midnight in UTC. */
export function spanOf(now: Date, days: Period): { before: Date; from: Date; to: Date } {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const from = today - (days - 1) * dayMs
  return { before: new Date(from - days * dayMs), from: new Date(from), to: new Date(today + dayMs) }
}

/** What was sold on a day: money captured less what went back of it, in cents. */
export type DayFigures = { day: string; cents: number; orders: number }

/** A day beside the one of the period before that has its place. */
export type DayPair = { now: DayFigures; before: DayFigures }

/** Every day of both periods, those without an order, too. */
export function pairDays(
  { before, from }: { before: Date; from: Date },
  days: Period,
  sold: readonly DayFigures[],
): DayPair[] {
  const byDay = new Map(sold.map((figures) => [figures.day, figures]))
  const figuresOf = (start: Date, index: number): DayFigures => {
    const day = new Date(start.getTime() + index * dayMs).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, cents: 0, orders: 0 }
  }
  return Array.from({ length: days }, (_, index) => ({
    now: figuresOf(from, index),
    before: figuresOf(before, index),
  }))
}

/** How a period's figure stands to the one before: "12 % more", "the same"; null where there was nothing before. */
export function comparison(now: number, before: number): string | null {
  if (before === 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent === 0) return 'about the same'
  return `${Math.abs(percent).toLocaleString('en-US')} % ${percent > 0 ? 'more' : 'less'}`
}

export type TopMedicine = { productId: string; name: string; units: number; unitsBefore: number }

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

/** Variants with 10 or less, counted up to `countedTo`: what is more than that is "more than". */
export type LowStock = { few: number; none: number; rows: LowStockRow[] }
export const countedTo = 1000

export type WaitingPrescriptions = {
  count: number
  /** Whole days since the oldest was uploaded; null when none waits. */
  oldestDays: number | null
  /** Orders that are paid and cannot ship before one of them is decided. */
  heldOrders: number
}

export type RecentOrder = {
  id: string
  customerName: string
  status: OrderStatus
  total: string
  createdAt: string
}

export type Dashboard = {
  days: Period
  revenueCents: number
  orders: number
  activeProducts: number
  pendingOrders: number
  perDay: DayPair[]
  topMedicines: TopMedicine[]
  lowStock: LowStock
  prescriptions: WaitingPrescriptions
  recentOrders: RecentOrder[]
}
