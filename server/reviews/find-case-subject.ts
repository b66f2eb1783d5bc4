import { findUndecidedOrder } from '#db/dispensing/cases.ts'
import { findOrder, type OrderRow } from '#db/orders/orders.ts'
import { findPrescription, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'

/** What a case is about. */
export type CaseSubject = {
  order: (OrderRow & { userId: string }) | null
  prescription: PrescriptionRow | null
  userId: string
}

/** The order or prescription with this id, and its customer. Throws NOT_FOUND. */
export async function findCaseSubject(ctx: Context, caseId: string): Promise<CaseSubject> {
  if (!isId(caseId)) throw new AppError('NOT_FOUND')
  const found = await findOrder(ctx.db, caseId)
  const prescription = found ? null : await findPrescription(ctx.db, caseId)
  const orderId = prescription && (await findUndecidedOrder(ctx.db, prescription.id))
  const order = found ?? (orderId ? await findOrder(ctx.db, orderId) : null)
  if (order?.userId)
    return { order: { ...order, userId: order.userId }, prescription: null, userId: order.userId }
  if (!prescription) throw new AppError('NOT_FOUND')
  return { order: null, prescription, userId: prescription.userId }
}
