import { z } from 'zod'
import { addBusinessDays } from '../business-days.ts'
import { utcDay } from '../days.ts'
import { lotsOfUnits } from '../inventory/lots.ts'
import { lineSchema, shipToSchema, sumLines, type FrozenLine } from '../checkout/checkout.ts'
import { noLineRefunds, unitsLeftToShip, type LineRefunds } from './line-refunds.ts'
import type { OrderStatus } from './order-status.ts'
import { packCheckSchema } from './pack-checks.ts'

/** What an order stores itself, independent of later changes to the catalog and the customer. */
export const orderContentSchema = z.object({
  /** As placed, with those that were refused since. */
  lines: z.array(lineSchema),
  /** Lines that a pharmacist refused, or that were not decided in time. They are not charged. */
  refusedLines: z
    .array(z.object({ lineId: z.string(), reason: z.string(), at: z.iso.datetime() }))
    .default([]),
  /** Checks of packs that a recall may affect. */
  packChecks: z.array(packCheckSchema).optional(),
  shipTo: shipToSchema,
  customer: z.object({ name: z.string(), email: z.string() }),
})
export type OrderContent = z.infer<typeof orderContentSchema>

export type OrderLine = FrozenLine

/** A line that was removed from an order, and why. */
export type RefusedLine = OrderLine & { reason: string; refusedAt: Date }

/** The lines of an order that were not refused. */
export const remainingLines = ({
  lines,
  refusedLines,
}: Pick<OrderContent, 'lines' | 'refusedLines'>): OrderLine[] =>
  lines.filter(({ id }) => !refusedLines.some(({ lineId }) => lineId === id))

/** The lines that were not refused, with the items, units and lots that are left to ship. */
export const linesLeftToShip = (
  content: Pick<OrderContent, 'lines' | 'refusedLines'>,
  refunds: ReadonlyMap<string, Pick<LineRefunds, 'units'>>,
): OrderLine[] =>
  remainingLines(content).flatMap((line) => {
    const units = unitsLeftToShip(line.quantity, refunds.get(line.id) ?? noLineRefunds)
    if (units.length === 0) return []
    return [
      {
        ...line,
        quantity: units.length,
        ...(line.units !== undefined && { units: (line.units * units.length) / line.quantity }),
        ...(line.lots && { lots: lotsOfUnits(line.lots, units) }),
      },
    ]
  })

/** The lines of an order that were refused. */
export const listRefusedLines = ({
  lines,
  refusedLines,
}: Pick<OrderContent, 'lines' | 'refusedLines'>): RefusedLine[] =>
  refusedLines.flatMap(({ lineId, reason, at }) => {
    const line = lines.find(({ id }) => id === lineId)
    return line ? [{ ...line, reason, refusedAt: new Date(at) }] : []
  })

/** The lines that were not refused; as placed when none remains. */
export function computeTotal(content: Pick<OrderContent, 'lines' | 'refusedLines'>): number {
  const remaining = remainingLines(content)
  return sumLines(remaining.length > 0 ? remaining : content.lines)
}

/** An order as the customer and admins see it. */
export type Order = {
  id: string
  userId: string | null
  status: OrderStatus
  /** From `computeTotal`. */
  totalCents: number
  /** What was charged. 0 until an authorized payment is captured. */
  capturedCents: number
  refundedCents: number
  hasRx: boolean
  shippingAddress: string
  stripePaymentId: string
  prescriptionId: string | null
  trackingNumber: string | null
  carrier: string | null
  /** `YYYY-MM-DD`. */
  estimatedDelivery: string | null
  createdAt: Date
  customerName: string
  customerEmail: string
  /** The lines that were not refused. */
  items: OrderLine[]
  refusedItems: RefusedLine[]
}

/** Business days until an order ships, and the longest time of Standard shipping then. */
const handlingDays = 2
const shippingDays = { domestic: 5, international: 14 }

type Way = { isDomestic: boolean }

const dayAfter = (from: Date, businessDays: number): string => utcDay(addBusinessDays(from, businessDays))

const longestShipping = ({ isDomestic }: Way): number =>
  isDomestic ? shippingDays.domestic : shippingDays.international

/** The expected delivery date of a new order, `YYYY-MM-DD`; only business days count. */
export const estimateDelivery = (placedAt: Date, way: Way): string =>
  dayAfter(placedAt, handlingDays + longestShipping(way))

/** The time by which a new order ships: its day is the last one on which a supply can start. */
export const latestShipping = (placedAt: Date): Date => addBusinessDays(placedAt, handlingDays)

/** The day by which what ships now is expected to arrive, `YYYY-MM-DD`. */
export const estimateArrival = (shippedAt: Date, way: Way): string =>
  dayAfter(shippedAt, longestShipping(way))
