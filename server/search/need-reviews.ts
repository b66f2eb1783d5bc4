import type { Db } from '#db/engine/client.ts'
import { listNeedReviews, upsertNeedReview } from '#db/search/need-reviews.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import type { NeedDecision, NeedRow, NeedRowQuery } from '#domain/search/need-rows.ts'
import { needRowKey, type NeedClass } from '#domain/search/needs.ts'
import { fold } from '#domain/text.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { needTable } from './need-table.ts'

/** Shown in place of a name: customers need not know who of the staff it was. */
const aPharmacist = 'A pharmacist'

/** The classes of a term that no pharmacist has rejected, with who reviewed them. */
export async function applyReviews(
  db: Db,
  term: string,
  classes: readonly NeedClass[],
): Promise<NeedClass[]> {
  const keyed = classes.map((needClass) => ({ needClass, key: needRowKey(term, needClass) }))
  const reviews = await listNeedReviews(
    db,
    keyed.map(({ key }) => key),
  )
  const statuses = new Map(reviews.map(({ rowKey, status }) => [rowKey, status]))
  return keyed.flatMap(({ needClass, key }) => {
    const status = statuses.get(key)
    if (status === 'rejected') return []
    return [status === 'reviewed' ? { ...needClass, reviewer: aPharmacist } : needClass]
  })
}

const pageSize = 50

export type NeedRowPage = { rows: NeedRow[]; total: number; page: number; pageCount: number }

/** A page of the table of lay terms, with the decisions. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listNeedRows(ctx: Context, { show, q, page }: NeedRowQuery): Promise<NeedRowPage> {
  requirePermission(ctx, 'prescriptions.review')
  const all = [...needTable.classes].flatMap(([term, classes]) =>
    classes.map((needClass) => ({ term, ...needClass, key: needRowKey(term, needClass) })),
  )
  const reviews = await listNeedReviews(
    ctx.db,
    all.map(({ key }) => key),
  )
  const byKey = new Map(reviews.map((review) => [review.rowKey, review]))
  const typed = fold(q)
  const matching = all.filter(
    ({ key, term, name }) =>
      (byKey.get(key)?.status ?? 'open') === show && `${term} ${fold(name)}`.includes(typed),
  )
  const pageCount = Math.max(1, Math.ceil(matching.length / pageSize))
  const shown = Math.min(page, pageCount)
  const rows = matching.slice((shown - 1) * pageSize, shown * pageSize)
  const names = await getStaffNames(
    ctx,
    rows.map(({ key }) => byKey.get(key)?.decidedBy ?? null),
  )
  return {
    rows: rows.map(({ key, term, name, system, code, routes }) => {
      const review = byKey.get(key)
      return {
        key,
        term,
        name,
        system,
        code,
        routes,
        decided: review
          ? { by: names.get(review.decidedBy) ?? formerStaff, at: review.decidedAt.toISOString() }
          : null,
      }
    }),
    total: matching.length,
    page: shown,
    pageCount,
  }
}

/**
 * Records that a pharmacist reviewed or rejected a row; a rejected row no longer answers a search.
 * The same decision again changes nothing. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function decideNeedRow(ctx: Context, { key, status }: NeedDecision): Promise<void> {
  const { id: decidedBy } = requirePermission(ctx, 'prescriptions.clear')
  const isRow = [...needTable.classes].some(([term, classes]) =>
    classes.some((needClass) => needRowKey(term, needClass) === key),
  )
  if (!isRow) throw new AppError('NOT_FOUND', 'This row has changed since you opened the page.')
  await inTransaction(ctx, async (ctx) => {
    const isNew = await upsertNeedReview(ctx.db, { rowKey: key, status, decidedBy, decidedAt: ctx.now })
    if (!isNew) return
    await recordAudit(ctx, { action: 'need-row.reviewed', subjectId: shopSubjectId, objectId: key })
  })
}
