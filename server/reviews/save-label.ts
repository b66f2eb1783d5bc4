import { lockUser } from '#db/accounts/users.ts'
import { applyLabelForm, checkLabelDays, type LabelForm } from '#domain/dispensing/label-choices.ts'
import { discardAfter } from '#domain/dispensing/label-rules.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { writeChoicesOfLine } from '../dispensing/label-choices.ts'
import { requirePharmacist } from '../dispensing/require-pharmacist.ts'
import { findOrder } from '../orders/find-order.ts'
import { getLabel } from './get-label.ts'

export const staleLabelMessage =
  'A colleague changed this label after you opened it. Check it and save again.'

/**
 * Records what a pharmacist decided for the label of a line: warnings, storage, lot, days, the
 * Medication Guide, the REMS decision and the answer to the offer of counseling. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID with the field, and CONFLICT for a line without an
 * item, for the pharmacist's own order, and when the stored label has another version.
 */
export async function saveLabel(
  ctx: Context,
  { orderId, lineId, ...form }: LabelForm & { orderId: string; lineId: string },
): Promise<void> {
  const { userId } = await findOrder(ctx, orderId)
  const { id: pharmacistId } = await requirePharmacist(ctx, { userId, objectId: orderId })
  const { label, choices } = await getLabel(ctx, { orderId, lineId })
  const { filledOn } = label
  const latest = discardAfter({ filledOn, lotExpiry: form.lotExpiry, chosen: null })
  const fields = checkLabelDays(form, { filledOn, latest })
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
  await inTransaction(ctx, async (ctx) => {
    // A shipment reads the decisions: it waits, or has finished.
    await lockUser(ctx.db, userId)
    const saved = await writeChoicesOfLine(ctx, {
      orderId,
      lineId,
      choices: applyLabelForm(choices, form, { by: pharmacistId, at: ctx.now.toISOString() }),
      version: form.version,
      pharmacistId,
    })
    if (!saved) throw new AppError('CONFLICT', staleLabelMessage)
    await recordAudit(ctx, { action: 'label.changed', subjectId: userId, objectId: orderId })
  })
}
