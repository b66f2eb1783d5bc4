import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { orderEditSchema } from './order-requests.ts'
import type { OrderLine } from './orders.ts'
import { orderStatuses, type OrderStatus } from './order-status.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'
import { isBlank, typedLines } from '../typed-text.ts'

/** Orders as the back office sees and changes them. */

/** A row of its grid. */
export type DeskOrder = {
  id: string
  userId: string
  createdAt: string
  customerName: string
  customerEmail: string
  /** All pieces of all lines. */
  itemCount: number
  total: string
  refunded: string
  status: OrderStatus
  /** Cancelled before it was shipped: refunded, and stays so. */
  isCalledOff: boolean
  /** Where its prescription's review stands, `gone` without one; null when it needs none. */
  prescription: PrescriptionStatus | 'gone' | null
}

export const orderQuerySchema = gridQuerySchema({
  sorts: ['date', 'total', 'status'],
  sort: 'date',
  dir: 'desc',
  filters: { status: z.enum(orderStatuses).optional().catch(undefined) },
})
export type OrderQuery = z.output<typeof orderQuerySchema>

/** How many orders one call changes, and how many a search may name that are to be changed. */
export const bulkBounds = { call: 1000, search: 10_000 } as const

const id = z.string().max(64)

/** The orders that a change is for: some, or all that a grid's search and filters match. */
export const orderTargetSchema = z.union([
  z.object({ ids: z.array(id).min(1).max(bulkBounds.search) }),
  z.object({ query: z.record(z.string(), z.string()).transform((params) => orderQuerySchema.parse(params)) }),
])
export type OrderTarget = z.output<typeof orderTargetSchema>

export const weighStatusSchema = z.object({ target: orderTargetSchema, status: z.enum(orderStatuses) })

export const setStatusesSchema = z.object({
  ids: z.array(id).min(1).max(bulkBounds.call),
  status: z.enum(orderStatuses),
})

export const setStatusSchema = z.object({
  id,
  status: z.enum(orderStatuses),
  /** The status that whoever changes it has seen: another by now refuses the change. */
  was: z.enum(orderStatuses),
})

/** What setting a status comes to, before it is done. */
export type StatusWeight = {
  /** The orders of the target, as they were found. */
  ids: string[]
  /** How many of them are cancelled before anything has left: their money and stock go back. */
  calledOff: number
  refund: string
  /** Pieces that go back into stock. */
  restocked: number
}

/** What became of one order. */
export type StatusResult = { id: string; error: string | null }

/** A line, or some pieces of it, whose price goes back. */
const askedReturnSchema = z.object({
  lineId: id,
  quantity: z.number().int().min(1).max(999),
  /** Whether they are put back into stock. */
  restock: z.boolean(),
})
export type AskedReturn = z.output<typeof askedReturnSchema>

export const refundSchema = z.object({
  id,
  /** Made by the form that asks: sent twice it is one refund. */
  key: z.uuid(),
  lines: z.array(askedReturnSchema).min(1, 'Please say what is refunded.').max(50),
})
export type RefundRequest = z.output<typeof refundSchema>

const shipmentOf = orderEditSchema
  .pick({ trackingNumber: true, carrier: true, estimatedDelivery: true })
  .required()
export type OrderShipment = z.output<typeof shipmentOf>

export const saveShipmentSchema = shipmentOf.extend({
  id,
  /** What the form was filled with: something else by now refuses it. */
  was: shipmentOf,
})

export const noteBounds = { text: 2000 } as const

export const newNoteSchema = z.object({
  id,
  text: z
    .string()
    .transform(typedLines)
    .refine((text) => !isBlank(text), 'Please write a note.')
    .refine((text) => text.length <= noteBounds.text, `Please shorten it to ${noteBounds.text} characters.`),
})

/** A line as the desk sees it. `price` is of one. */
export type DeskLine = Pick<
  OrderLine,
  'id' | 'productVariantId' | 'quantity' | 'product' | 'variant' | 'isTracked'
> & {
  price: string
  /** How many of it were or are being refunded. */
  refunded: number
  restocked: number
}

export type DeskRefund = {
  id: string
  amount: string
  createdAt: string
  doneAt: string | null
  failedAt: string | null
}

/** All that the desk knows of an order. Times are ISO 8601. */
export type DeskOrderDetails = OrderShipment & {
  id: string
  userId: string
  status: OrderStatus
  isCalledOff: boolean
  createdAt: string
  customerName: string
  customerEmail: string
  /** Street, city, region and country, a line each. */
  shippingLines: string[]
  shippingAddress: string
  stripePaymentId: string
  total: string
  /** What has gone back, or is on its way. */
  promised: string
  leftToRefund: string
  hasRx: boolean
  items: DeskLine[]
  /** The changes of its status since it was placed, the oldest first; `by` null when the shop itself did it. */
  events: { status: OrderStatus; at: string; by: string | null }[]
  refunds: DeskRefund[]
  prescription: {
    id: string
    doctorName: string | null
    uploadedAt: string
    expiryDate: string | null
    status: PrescriptionStatus
    statusReason: string | null
  } | null
  notes: { id: string; text: string; at: string; by: string }[]
}
