import {
  newNoteSchema,
  orderQuerySchema,
  refundSchema,
  saveShipmentSchema,
  setStatusesSchema,
  setStatusSchema,
  previewStatusChangeSchema,
  undoStatusSchema,
  undoStatusesSchema,
} from '#domain/orders/admin-orders.ts'
import { undoWindowMs, type UndoableChange } from '#domain/orders/status-change.ts'
import { addNote } from '../orders/add-note.ts'
import { listAdminOrders } from '../orders/list-admin-orders.ts'
import { getAdminOrder } from '../orders/get-admin-order.ts'
import { refundOrder } from '../orders/refund-order.ts'
import { retryCapture } from '../orders/retry-capture.ts'
import { saveShipment } from '../orders/save-shipment.ts'
import { setOrderStatus } from '../orders/set-order-status.ts'
import { setOrderStatuses } from '../orders/set-order-statuses.ts'
import { undoStatusChange, undoStatusChanges } from '../orders/undo-status-change.ts'
import { previewStatusChange } from '../reviews/preview-status-change.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema } from './inputs.ts'

export const ordersRouter = router({
  list: procedureFor('orders.read')
    .input(gridInput(orderQuerySchema))
    .query(({ ctx, input }) => listAdminOrders(ctx, input)),
  get: procedureFor('orders.read')
    .input(idSchema)
    .query(({ ctx, input }) => getAdminOrder(ctx, input.id)),
  previewStatusChange: procedureFor('orders.read')
    .input(previewStatusChangeSchema)
    .query(({ ctx, input }) => previewStatusChange(ctx, input)),
  setStatus: procedureFor('orders.read')
    .input(setStatusSchema)
    .mutation(async ({ ctx, input: { id, ...edit } }) => {
      const made: UndoableChange[] = []
      const undo = { windowMs: undoWindowMs(1), collect: (change: UndoableChange) => void made.push(change) }
      await setOrderStatus(ctx, id, edit, { undo })
      return { changeId: made.at(-1)?.changeId ?? null }
    }),
  undoStatus: procedureFor('orders.read')
    .input(undoStatusSchema)
    .mutation(({ ctx, input }) => undoStatusChange(ctx, input)),
  undoStatuses: procedureFor('orders.read')
    .input(undoStatusesSchema)
    .mutation(({ ctx, input }) => undoStatusChanges(ctx, input.changes)),
  setStatuses: procedureFor('orders.read')
    .input(setStatusesSchema)
    .mutation(({ ctx, input: { of: batchTotal, ...input } }) =>
      setOrderStatuses(ctx, { ...input, batchTotal }),
    ),
  saveShipment: procedureFor('orders.ship')
    .input(saveShipmentSchema)
    .mutation(({ ctx, input }) => saveShipment(ctx, input)),
  refund: procedureFor('refunds.create')
    .input(refundSchema)
    .mutation(({ ctx, input }) => refundOrder(ctx, input)),
  retryCapture: procedureFor('orders.ship')
    .input(idSchema)
    .mutation(({ ctx, input }) => retryCapture(ctx, input.id)),
  addNote: procedureFor('orders.note')
    .input(newNoteSchema)
    .mutation(({ ctx, input }) => addNote(ctx, input)),
})
