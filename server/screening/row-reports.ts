import {
  decideRowReport,
  endRowReport,
  findInteractionRow,
  findActiveReport,
  findRowReport,
  insertRowReport,
  listReportRows,
  type RowReport,
} from '#db/screening/row-reports.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { RowReportInput, RowReviewInput } from '#domain/screening/row-reports.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

const alreadyReported = 'This row is already marked as wrong.'
const ownReport = 'You marked this row. Ask another admin to decide.'
const alreadyDecided = 'Another admin has already decided on this.'

/**
 * Marks a row of an interaction list as wrong. It stays in use until an admin confirms the report.
 * A second report by the same pharmacist changes nothing. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND and CONFLICT.
 */
export async function reportRow(ctx: Context, { rowKey, reason }: RowReportInput): Promise<void> {
  const { id: userId } = requirePermission(ctx, 'prescriptions.clear')
  await inTransaction(ctx, async (ctx) => {
    const row = await findInteractionRow(ctx.db, rowKey)
    if (!row) throw new AppError('NOT_FOUND')
    const known = await findActiveReport(ctx.db, rowKey)
    if (known && saysTheSame(known, row)) {
      if (known.reportedBy === userId && known.status === 'open') return
      throw new AppError('CONFLICT', alreadyReported)
    }
    if (known) await endRowReport(ctx.db, known.id)
    const stored = await insertRowReport(ctx.db, {
      ...row,
      id: newId(ctx.now.getTime()),
      rowId: rowKey,
      reason,
      status: 'open',
      reportedBy: userId,
      reportedAt: ctx.now,
      reviewedBy: null,
      reviewedAt: null,
      reviewNote: null,
    })
    if (!stored) throw new AppError('CONFLICT', alreadyReported)
    await recordAudit(ctx, { action: 'screening-row.reported', subjectId: shopSubjectId, objectId: rowKey })
  })
}

const saysTheSame = (
  report: Pick<RowReport, 'level' | 'sentence'>,
  row: Pick<RowReport, 'level' | 'sentence'>,
): boolean => report.level === row.level && report.sentence === row.sentence

const maxListed = 500

/** A report as its page shows it. */
export type RowReportView = Omit<RowReport, 'reportedBy' | 'reviewedBy' | 'reportedAt' | 'reviewedAt'> & {
  /** A name. */
  reportedBy: string
  /** `YYYY-MM-DD`. */
  reportedOn: string
  reviewedBy: string | null
  reviewedOn: string | null
  /** Whether the signed-in user made it, so that another admin decides. */
  isOwn: boolean
}

/** The reports, open ones first. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listRowReports(ctx: Context): Promise<RowReportView[]> {
  const { id: userId } = requirePermission(ctx, 'prescriptions.review')
  const rows = await listReportRows(ctx.db, maxListed)
  const names = await getStaffNames(
    ctx,
    rows.flatMap(({ reportedBy, reviewedBy }) => [reportedBy, reviewedBy]),
  )
  const nameOf = (id: string): string => names.get(id) ?? formerStaff
  return rows.map(({ reportedAt, reviewedAt, ...row }) => ({
    ...row,
    reportedBy: nameOf(row.reportedBy),
    reportedOn: utcDay(reportedAt),
    reviewedBy: row.reviewedBy === null ? null : nameOf(row.reviewedBy),
    reviewedOn: reviewedAt && utcDay(reviewedAt),
    isOwn: row.reportedBy === userId,
  }))
}

/**
 * Confirms that a row is wrong, so that it is no longer used, or rejects the report. No one decides
 * on their own report. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND and CONFLICT.
 */
export async function reviewRowReport(ctx: Context, { id, isWrong, note }: RowReviewInput): Promise<void> {
  const { id: userId } = requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  await inTransaction(ctx, async (ctx) => {
    const report = await findRowReport(ctx.db, id)
    if (!report) throw new AppError('NOT_FOUND')
    if (report.reportedBy === userId) throw new AppError('FORBIDDEN', ownReport)
    const isDecided = await decideRowReport(ctx.db, id, {
      status: isWrong ? 'confirmed' : 'rejected',
      reviewedBy: userId,
      reviewedAt: ctx.now,
      reviewNote: note || null,
    })
    if (!isDecided) throw new AppError('CONFLICT', alreadyDecided)
    await recordAudit(ctx, {
      action: 'screening-row.reviewed',
      subjectId: shopSubjectId,
      objectId: report.rowId,
    })
  })
}
