import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { dollars } from '#domain/money.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import type { Context } from '../context.ts'
import { noteRefusal } from '../note-refusal.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'

/**
 * Throws FORBIDDEN when the signed-in user may not refund this much of an order, and CODE_REQUIRED
 * when so large a refund needs a recent code.
 * @param totalCents all refunds of the order together, so that a refund cannot be split
 */
export async function checkRefundAmount(ctx: Context, totalCents: number): Promise<void> {
  const user = requirePermission(ctx, 'refunds.create')
  const { supportRefundLimitCents, codeAboveRefundCents } = await getSettings(ctx)
  if (totalCents > supportRefundLimitCents && !can(user, 'refunds.unlimited')) {
    noteRefusal(ctx)
    const limit = dollars(supportRefundLimitCents)
    throw new AppError('FORBIDDEN', `You can refund up to ${limit} of an order. Ask an admin.`)
  }
  if (totalCents > codeAboveRefundCents) requireRecentCode(ctx)
}
