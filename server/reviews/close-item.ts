import { findItem } from '#db/dispensing/items.ts'
import { reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { lockUser } from '#db/accounts/users.ts'
import type { CloseItemInput } from '#domain/dispensing/case-inputs.ts'
import { closeReasonLabels } from '#domain/dispensing/case-prescription.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readItem } from '../dispensing/item-reader.ts'
import { requirePharmacist } from '../dispensing/require-pharmacist.ts'
import { replaceItem } from '../dispensing/store-item.ts'
import { getCase } from './get-case.ts'

/**
 * Closes a prescription item: nothing more is dispensed on it, and what was cleared on it and has
 * not shipped returns to the queue. Returns the prescription's case. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND, REASON_REQUIRED, CONFLICT for the pharmacist's own, and CONFLICT with the
 * current case when the item has changed since `version`.
 */
export async function closeItem(
  ctx: Context,
  { itemId, version, reason, note }: CloseItemInput,
): Promise<ReviewCase> {
  const found = isId(itemId) ? await findItem(ctx.db, itemId) : null
  if (!found) throw new AppError('NOT_FOUND')
  const { userId, prescriptionId } = found
  const pharmacist = await requirePharmacist(ctx, { userId, objectId: prescriptionId })
  await requireRecordAccess(ctx, userId)
  const isClosed = await inTransaction(ctx, async (ctx) => {
    const key = (await lockUser(ctx.db, userId)) ? await openUserKey(ctx, userId) : null
    const row = await findItem(ctx.db, itemId)
    if (!key || !row) throw new AppError('NOT_FOUND')
    if (row.version !== version || row.status === 'closed') return false
    const content = {
      ...readItem(key, row),
      closedReason: `${closeReasonLabels[reason]}: ${note}`,
      closed: { by: pharmacist.id, at: ctx.now.toISOString() },
    }
    if (!(await replaceItem(ctx, key, { id: itemId, version, content, status: 'closed' }))) return false
    await reopenLinesOfItem(ctx.db, itemId)
    const audit = { action: 'prescription.item-closed' as const, subjectId: userId, objectId: prescriptionId }
    await recordAudit(ctx, audit)
    return true
  })
  const current = await getCase(ctx, prescriptionId)
  if (!isClosed) throw new StaleEditError('Someone else just changed this item.', current)
  return current
}
