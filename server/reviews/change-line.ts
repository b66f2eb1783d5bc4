import { findLineReview, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { lockUser } from '#db/accounts/users.ts'
import { findOrder, lockOrder } from '#db/orders/orders.ts'
import type { LineInput } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import type { LineReviewStatus } from '#domain/dispensing/dispensing.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { requirePharmacist } from '../dispensing/require-pharmacist.ts'
import type { CustomerOrder } from '../orders/find-order.ts'
import { UnseenMessageError } from '../messages/require-seen.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { getCase } from './get-case.ts'

/** A line with its order and its customer's key, all locked until the transaction ends. */
export type LockedLine = {
  pharmacist: SessionUser
  review: LineReviewRow
  order: CustomerOrder
  line: OrderLine
  key: KeyRing
}

/** The review is no longer as the pharmacist saw it. */
class StaleLineError extends Error {}

/** Throws so that the pharmacist sees who did what in the meantime. */
export function throwStale(): never {
  throw new StaleLineError()
}

/**
 * Runs a pharmacist's change of one line in a transaction and returns the case as it is then. The
 * customer's row is locked first, then the order's, as everywhere; of two pharmacists the second
 * waits. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED, and CONFLICT with the
 * current case when the line, or for a question the order's messages, have changed since the
 * pharmacist saw them.
 */
export async function changeLine(
  ctx: Context,
  { lineId, version }: LineInput,
  change: (ctx: Context, locked: LockedLine) => Promise<void>,
): Promise<ReviewCase> {
  const found = isId(lineId) ? await findLineReview(ctx.db, lineId) : null
  const placed = found && (await findOrder(ctx.db, found.orderId))
  if (!found || !placed?.userId) throw new AppError('NOT_FOUND')
  const { orderId } = found
  // The customer, also for what is for a dependant.
  const { userId } = placed
  const pharmacist = await requirePharmacist(ctx, { userId, objectId: orderId })
  await requireRecordAccess(ctx, userId)
  try {
    await inTransaction(ctx, async (ctx) => {
      const isStored = await lockUser(ctx.db, userId)
      const row = isStored ? await lockOrder(ctx.db, orderId) : null
      const key = row && (await openUserKey(ctx, userId))
      const review = await findLineReview(ctx.db, lineId)
      if (!row || !key || !review || row.userId !== userId) throw new AppError('NOT_FOUND')
      const line = readOrderContent(ctx.keys, row).lines.find(({ id }) => id === lineId)
      if (!line) throw new AppError('NOT_FOUND')
      if (review.version !== version) throwStale()
      await change(ctx, { pharmacist, review, order: { ...row, userId }, line, key })
    })
  } catch (error) {
    const isUnseen = error instanceof UnseenMessageError
    if (!isUnseen && !(error instanceof StaleLineError)) throw error
    const current = await getCase(ctx, orderId)
    const message = isUnseen ? error.message : await describeChange(ctx, lineId)
    throw new StaleEditError(message, current, { cause: error })
  }
  return getCase(ctx, orderId)
}

const verbs = {
  waiting: 'changed',
  asked: 'asked the customer about',
  cleared: 'cleared',
  refused: 'refused',
} as const satisfies Record<LineReviewStatus, string>

/** "Dana Fox cleared this line." */
async function describeChange(ctx: Context, lineId: string): Promise<string> {
  const review = await findLineReview(ctx.db, lineId)
  const name = review?.decidedBy && (await getStaffNames(ctx, [review.decidedBy])).get(review.decidedBy)
  return review && name
    ? `${name} ${verbs[review.status]} this line.`
    : 'This line changed after you opened it. Review it again.'
}
