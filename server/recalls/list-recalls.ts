import { listRecallNotices } from '#db/recalls/recall-notices.ts'
import { listCareLists } from '#db/screening/care-lists.ts'
import { listCatalogRecalls, type ListedRecall } from '#db/screening/recall-list.ts'
import type { GridPage } from '#domain/grid.ts'
import { groupBy } from '#domain/group-by.ts'
import type { RecallQuery } from '#domain/screening/recall-list.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { recallKeyOf } from './notify-customers.ts'

/** A recall in the back office's list. */
export type RecallSummary = ListedRecall & {
  /** How many shipped orders' customers were notified. */
  notified: number
}

/**
 * A page of the recalls of packages in the catalog, with the dates of the lists, oldest first.
 * Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listRecalls(
  ctx: Context,
  query: RecallQuery,
): Promise<GridPage<RecallSummary> & { listDates: string[] }> {
  requirePermission(ctx, 'lists.read')
  const [page, lists] = await Promise.all([listCatalogRecalls(ctx.db, query), listCareLists(ctx.db)])
  const keys = new Map(page.rows.map(({ id }) => [id, recallKeyOf(ctx.keys, id)]))
  const notices = groupBy(
    await listRecallNotices(ctx.db, 'recallKey', [...keys.values()]),
    ({ recallKey }) => recallKey,
  )
  return {
    ...page,
    rows: page.rows.map((recall) => ({
      ...recall,
      notified: notices.get(keys.get(recall.id) ?? '')?.length ?? 0,
    })),
    listDates: lists
      .flatMap(({ name, listDate }) => (name.startsWith('recalls') && listDate !== null ? [listDate] : []))
      .sort(),
  }
}
