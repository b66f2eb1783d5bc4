import { z } from 'zod'
import { lineSchema, shipToSchema, type FrozenLine } from './checkout.ts'

/** The statuses that are stored (specification, section 4). */
export const orderStatuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

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

/** An order that can still be called off: nothing of it has left. */
export const canCancel = (status: OrderStatus): boolean => status === 'pending' || status === 'processing'
