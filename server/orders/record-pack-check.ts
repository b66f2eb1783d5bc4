import { updateOrderLines } from '#db/orders/orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { listRecalls } from '#db/screening/recalls.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { lotNumbersOf, type PackCheck } from '#domain/orders/pack-checks.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip } from '#domain/orders/orders.ts'
import { listsLot } from '#domain/screening/recall-outcome.ts'
import { recallName } from '#domain/screening/recall.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'
import { findRecallProblems } from './find-recall-problems.ts'
import { openContent, sealOrder } from './sealed-order.ts'

type Check = { lineId: string; recallId: string; lotNumber: string; reason: string }

/**
 * Records the lot that staff read on the packs of a line, and that a recall does not affect it. A
 * recall of all lots needs a reason, and the permission to release lots. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (lotNumber, reason), and CONFLICT when the order
 * has shipped or nothing is left to check.
 */
export async function recordPackCheck(
  ctx: Context,
  { orderId, ...check }: Check & { orderId: string },
): Promise<void> {
  const user = requirePermission(ctx, 'orders.ship')
  await retryOnConflict(async () => {
    const row = await findOrder(ctx, orderId)
    refuseOwnOrder(ctx, row)
    if (!canCancel(row.status)) {
      throw new AppError('CONFLICT', 'This order has already shipped or was cancelled.')
    }
    return inTransaction(ctx, (ctx) => addCheck(ctx, row, check, user.id))
  })
}

/** Null when the order has changed since it was read. */
async function addCheck(ctx: Context, row: CustomerOrder, check: Check, by: string): Promise<true | null> {
  const content = openContent(ctx.keys, row)
  const refunds = await listLineRefunds(ctx.db, [row.id])
  const line = linesLeftToShip(content, refunds).find(({ id }) => id === check.lineId)
  const problems = line ? await findRecallProblems(ctx, [line], content) : []
  const problem = problems.find(({ recallId }) => recallId === check.recallId)
  if (!line || !problem) throw new AppError('CONFLICT', 'Nothing is left to check for this recall.')
  const [recall] = await listRecalls(ctx.db, { ids: [check.recallId] })
  if (recall && listsLot(recall, check.lotNumber)) {
    throw fieldError(
      'lotNumber',
      `${recallName(recall.id)} lists this lot. Don’t ship the package: set it aside and use another one.`,
    )
  }
  if (problem.effect === 'block') {
    if (problem.lotNumber !== null) throw new AppError('CONFLICT', problem.message)
    if (!can(ctx.user, 'lots.quarantine')) throw new AppError('FORBIDDEN')
    if (check.reason === '') throw fieldError('reason', 'Enter why the recall does not affect this package.')
  }
  const packCheck: PackCheck = {
    lineId: line.id,
    recallId: check.recallId,
    lotNumber: check.lotNumber,
    // A recall that becomes one of all lots later needs a reason of its own.
    reason: problem.effect === 'block' ? check.reason : null,
    by,
    at: ctx.now.toISOString(),
    lots: lotNumbersOf(line.lots),
  }
  const packChecks = [...(content.packChecks ?? []), packCheck]
  const sealedOrder = sealOrder(ctx.keys, row.id, { ...content, packChecks })
  if (!(await updateOrderLines(ctx.db, { ...row, sealedOrder, updatedAt: ctx.now }))) return null
  await recordAudit(ctx, { action: 'order.pack-checked', subjectId: row.userId, objectId: row.id })
  return true
}

const fieldError = (field: 'lotNumber' | 'reason', message: string): AppError =>
  new AppError('INVALID', undefined, { fields: { [field]: message } })
