import { listReviewRows, type ReviewListRow } from '#db/prescriptions/prescriptions.ts'
import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescriptions/prescription-review.ts'
import { statusOn } from '#domain/prescriptions/prescriptions.ts'
import type { ReviewQuery } from '#domain/prescriptions/review-inputs.ts'
import { requirePermission } from '../require-user.ts'
import { readDisplayName } from '../accounts/person-reader.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openDetails } from './sealed-prescription.ts'

const dayMs = 24 * 3600 * 1000

/**
 * A page of all prescriptions for the back office, by age. The read is audited for each customer.
 * Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listReviews(ctx: Context, query: ReviewQuery): Promise<GridPage<ReviewRow>> {
  requirePermission(ctx, 'prescriptions.review')
  const { rows, ...page } = await listReviewRows(ctx.db, query)
  const subjectIds = [...new Set(rows.map(({ userId }) => userId))]
  await recordReads(ctx, { action: 'prescriptions.read', subjectIds })
  return { ...page, rows: rows.map((row) => openRow(ctx, row)) }
}

function openRow(ctx: Context, row: ReviewListRow): ReviewRow {
  const { id, userId, sealedName, wrappedKey, status, uploadedAt, waitingOrders, question } = row
  const key = unwrapUserKey(ctx, userId, wrappedKey)
  return {
    id,
    patientName: readDisplayName(key, { id: userId, sealedName }),
    status: statusOn(ctx.now, { status, expiryDate: openDetails(key, row).expiryDate }),
    uploadedAt: uploadedAt.toISOString(),
    daysWaiting: Math.max(0, Math.floor((ctx.now.getTime() - uploadedAt.getTime()) / dayMs)),
    waitingOrders,
    question,
  }
}
