import { z } from 'zod'
import { lineSchema, shipToSchema, type FrozenLine, type ShipTo } from '../checkout/checkout.ts'
import type { OrderStatus } from './order-status.ts'

/** What an order stores itself, independent of later changes to the catalog and the customer. */
export const orderContentSchema = z.object({
  lines: z.array(lineSchema),
  shipTo: shipToSchema,
  customer: z.object({ name: z.string(), email: z.string() }),
})
export type OrderContent = z.infer<typeof orderContentSchema>

export type OrderLine = FrozenLine

/** An order as the customer and admins see it. */
export type Order = {
  id: string
  userId: string | null
  status: OrderStatus
  totalCents: number
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
  items: OrderLine[]
}

/**
 * Business days until delivery: 2 for handling, then the longest time of Standard shipping (the
 * shipping page's table).
 */
const deliveryDays = { domestic: 2 + 5, international: 2 + 14 }

const isDomestic = /^(us|usa|united states( of america)?)$/i

/** The expected delivery date, `YYYY-MM-DD`; only business days count. */
export function estimateDelivery(placedAt: Date, { parts, text }: ShipTo): string {
  const country = parts?.country ?? text.split(',').at(-1) ?? ''
  let days = isDomestic.test(country.trim()) ? deliveryDays.domestic : deliveryDays.international
  const day = new Date(placedAt)
  while (days > 0) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) days--
  }
  return day.toISOString().slice(0, 10)
}
