import { z } from 'zod'
import { lineSchema, shipToSchema, type FrozenLine, type ShipTo } from '../checkout/checkout.ts'
import type { OrderStatus } from './order-status.ts'

/** What an order keeps of its own, whatever becomes of the catalogue and the customer. */
export const orderContentSchema = z.object({
  lines: z.array(lineSchema),
  shipTo: shipToSchema,
  customer: z.object({ name: z.string(), email: z.string() }),
})
export type OrderContent = z.infer<typeof orderContentSchema>

export type OrderLine = FrozenLine

/** An order as its customer and admins see it. */
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

/** How many calendar days after the order a parcel comes: handling 2 business days, then Standard at its longest (the shipping page's table). */
const deliveryDays = { domestic: 2 + 5, international: 2 + 14 }

const isDomestic = /^(us|usa|united states( of america)?)$/i

/** When an order is expected to have arrived, `YYYY-MM-DD`; only business days count. */
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
