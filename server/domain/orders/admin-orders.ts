import { maxLines, maxQuantity } from '../cart/cart.ts'
import { z } from 'zod'
import { gridQuerySchema, gridTargetSchema } from '../grid.ts'
import type { Clearance } from '../dispensing/dispensing.ts'
import { orderPageSize } from './order-page-size.ts'
import { orderEditSchema } from './order-requests.ts'
import type { OrderLine } from './orders.ts'
import type { PackFacts } from './packages.ts'
import type { PaymentState } from './payment-hold.ts'
import { orderStatuses, paidStatus, type OrderStatus } from './order-status.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'
import { isBlank, cleanLines } from '../clean-text.ts'

/** Orders as the back office shows and changes them. */

/** A row of the orders grid. */
export type AdminOrder = {
  id: string
  createdAt: string
  customerName: string
  customerEmail: string
  /** All units of all lines. */
  itemCount: number
  /** The lines that were not refused; as placed when none remains. */
  total: string
  captured: string
  refunded: string
  payment: PaymentState
  status: OrderStatus
  /** Cancelled before shipment: refunded, and cancelled for good. */
  isCancelledBeforeShipment: boolean
  /** `missing` when the prescription was deleted; null when the order needs none. */
  prescription: PrescriptionStatus | 'missing' | null
  /**
   * The review status of its prescription lines that ship. Null when it has none or is cancelled.
   */
  review: Clearance | null
}

export const orderQuerySchema = gridQuerySchema({
  size: orderPageSize,
  sorts: ['date', 'total', 'status'],
  sort: 'date',
  dir: 'desc',
  filters: {
    status: z
      .enum([...orderStatuses, paidStatus])
      .optional()
      .catch(undefined),
  },
})
export type OrderQuery = z.output<typeof orderQuerySchema>

/** The most orders that one call changes, and that one search may select for a change. */
export const bulkBounds = { call: 1000, search: 10_000 } as const

const id = z.string().max(64)

/** The orders to change: a list of ids, or all that match the grid's search and filters. */
export const orderTargetSchema = z.union([
  z.object({ ids: z.array(id).min(1).max(bulkBounds.search) }),
  z.object({ query: gridTargetSchema(orderQuerySchema, ['status']) }),
])
export type OrderTarget = z.output<typeof orderTargetSchema>

export const previewStatusChangeSchema = z.object({
  target: orderTargetSchema,
  status: z.enum(orderStatuses),
})

export const setStatusesSchema = z.object({
  ids: z.array(id).min(1).max(bulkBounds.call),
  status: z.enum(orderStatuses),
  /** How many orders the whole change has, when it takes several calls. */
  of: z.number().int().min(1).max(bulkBounds.search).optional(),
})

/** A status change to undo: the order, and the change's own id. */
export const undoStatusSchema = z.object({ id, changeId: id })
export const undoStatusesSchema = z.object({
  changes: z.array(undoStatusSchema).min(1).max(bulkBounds.call),
})

const shipmentSchema = orderEditSchema
  .pick({ trackingNumber: true, carrier: true, estimatedDelivery: true })
  .required()
export type OrderShipment = z.output<typeof shipmentSchema>

export const setStatusSchema = z.object({
  id,
  status: z.enum(orderStatuses),
  /** The status that the admin saw. The change is rejected when the status has changed. */
  expectedStatus: z.enum(orderStatuses),
  /** What was typed about the shipment, with what its form showed. Omitted when nothing was. */
  ...shipmentSchema.partial().shape,
  expectedShipment: shipmentSchema.optional(),
})

/** Why an order can't get a status. `isNewAlert`: the attempt returns its lines to the queue. */
export type RefusedChange = { id: string; message: string; isNewAlert: boolean }

/** What changing the status of many orders will do. */
export type StatusChangePreview = {
  /** The orders of the target. */
  ids: string[]
  /** How many get the status: the others have it already, or stay cancelled. */
  changed: number
  /** Why orders will be refused. Only looked up for a few orders. */
  refused: RefusedChange[]
  /** Sentences to read before shipping. */
  warnings: string[]
  /** How many of their customers are emailed. */
  emailed: number
  /** How many of the changes can be undone. */
  undoable: number
  /** How many are cancelled before shipment: refunded or voided, and restocked. */
  cancelled: number
  refund: string
  /** How many of them were not charged yet. */
  voided: number
  /** Units that return to stock. */
  restocked: number
}

/**
 * The result for one order; `error` is null on success. `changeId` names a change that can be
 * undone. `isChanged` is false also for an order that was as requested already.
 */
export type StatusResult = {
  id: string
  error: string | null
  changeId: string | null
  isChanged: boolean
}

/** Units of a line to refund. */
const refundLineInputSchema = z.object({
  lineId: id,
  quantity: z.number().int().min(1).max(maxQuantity),
  /** Whether the units return to stock. */
  restock: z.boolean(),
})
export type RefundLineInput = z.output<typeof refundLineInputSchema>

export const refundSchema = z.object({
  id,
  /** Generated by the form: submitting the form twice makes one refund. */
  key: z.uuid(),
  lines: z.array(refundLineInputSchema).min(1, 'Choose the items to refund.').max(maxLines),
})
export type RefundRequest = z.output<typeof refundSchema>

export const saveShipmentSchema = shipmentSchema.extend({
  id,
  /** The values that the form showed. The change is rejected when they have changed. */
  expected: shipmentSchema,
})

export const noteBounds = { text: 2000 } as const

export const newNoteSchema = z.object({
  id,
  text: z
    .string()
    .transform(cleanLines)
    .refine((text) => !isBlank(text), 'Enter a note.')
    .refine(
      (text) => text.length <= noteBounds.text,
      `The note can have at most ${noteBounds.text.toLocaleString('en-US')} characters.`,
    ),
  /** Names this note: a second one with the same key is not added. */
  requestKey: z.uuidv4().optional(),
})
export type NewNote = z.output<typeof newNoteSchema>

/** A line as the back office shows it. `price` is the unit price. */
export type AdminOrderLine = Pick<
  OrderLine,
  'id' | 'productVariantId' | 'quantity' | 'product' | 'variant' | 'isTracked' | 'lots'
> & {
  price: string
  /** Null for a hidden medicine. */
  pack: PackFacts | null
  /** Units that were or are being refunded. */
  refunded: number
  restocked: number
}

export type AdminRefund = {
  id: string
  amount: string
  createdAt: string
  doneAt: string | null
  failedAt: string | null
}

/** A line that was removed from an order. */
export type AdminRefusedLine = Pick<OrderLine, 'id' | 'quantity' | 'product' | 'variant'> & {
  price: string
  reason: string
  refusedAt: string
}

/** Everything the back office shows about an order. Times are ISO 8601. */
export type AdminOrderDetails = OrderShipment & {
  id: string
  /** The carrier's page about the package. The release before sends none. */
  trackingUrl?: string | null
  userId: string
  status: OrderStatus
  isCancelledBeforeShipment: boolean
  createdAt: string
  customerName: string
  customerEmail: string
  /** Street, city, region and country, one line each. */
  shippingLines: string[]
  shippingAddress: string
  stripePaymentId: string
  total: string
  payment: {
    state: PaymentState
    authorized: string
    captured: string
    /** When it must be captured. Null when nothing is authorized. */
    captureBefore: string | null
    refusedAt: string | null
  }
  /** Refunded or being refunded. */
  refundTotal: string
  leftToRefund: string
  hasRx: boolean
  items: AdminOrderLine[]
  refusedItems: AdminRefusedLine[]
  /** Status changes since the order was placed, oldest first; `by` is null for the shop itself. */
  events: {
    status: OrderStatus
    at: string
    by: string | null
    reverted: { at: string; by: string | null } | null
  }[]
  /** The last status change while it can be undone. */
  undo: { changeId: string; status: OrderStatus; until: string } | null
  refunds: AdminRefund[]
  /** The warning when no pharmacy ships to the open order's destination; otherwise null. */
  destinationWarning: string | null
  /** Why recalls keep the open order from shipping. */
  recalls: string[]
  /** What is wrong with the open order's lots, and whether it keeps the order from shipping. */
  lotProblems: { message: string; isBlocking: boolean }[]
  prescription: {
    id: string
    status: PrescriptionStatus
    /** Null for staff who do not review prescriptions. */
    details: {
      /** As a pharmacist transcribed it; null until one has. */
      prescriberName: string | null
      uploadedAt: string
      statusReason: string | null
      /** What the customer entered, which is not verified. */
      claim: { doctorName: string | null; expiryDate: string | null }
    } | null
  } | null
  notes: { id: string; text: string; at: string; by: string }[]
}
