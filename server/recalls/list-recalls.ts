import { listRecallNotices } from '#db/recalls/recall-notices.ts'
import { listCareLists } from '#db/screening/care-lists.ts'
import { listCatalogRecallIds, listRecalls as listRows } from '#db/screening/recalls.ts'
import { groupBy } from '#domain/group-by.ts'
import type { Recall } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { recallKeyOf } from './notify-customers.ts'

/** A recall in the back office's list. */
export type RecallSummary = Pick<
  Recall,
  'id' | 'recallClass' | 'status' | 'reported' | 'product' | 'allLots'
> & {
  lots: number
  /** How many shipped orders' customers were notified. */
  notified: number
}

const maxRecalls = 500

/** The recalls of packages in the catalog, newest first. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listRecalls(
  ctx: Context,
): Promise<{ recalls: RecallSummary[]; isCut: boolean; listDate: string | null }> {
  requirePermission(ctx, 'lists.read')
  const ids = await listCatalogRecallIds(ctx.db, maxRecalls + 1)
  const recalls = await listRows(ctx.db, { ids: ids.slice(0, maxRecalls) })
  const keys = new Map(recalls.map(({ id }) => [id, recallKeyOf(ctx.keys, id)]))
  const notified = groupBy(
    await listRecallNotices(ctx.db, 'recallKey', [...keys.values()]),
    ({ recallKey }) => recallKey,
  )
  const lists = await listCareLists(ctx.db)
  return {
    recalls: recalls.map(({ id, recallClass, status, reported, product, allLots, lots }) => ({
      id,
      recallClass,
      status,
      reported,
      product,
      allLots,
      lots: lots.length,
      notified: notified.get(keys.get(id) ?? '')?.length ?? 0,
    })),
    isCut: ids.length > maxRecalls,
    listDate: lists.find(({ name }) => name === 'recalls')?.listDate ?? null,
  }
}
