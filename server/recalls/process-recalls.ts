import { deleteRecallTasks, listRecalls, listRecallTasks } from '#db/screening/recalls.ts'
import type { Context } from '../context.ts'
import { findRecallEffects } from './find-recall-effects.ts'
import { holdStock, type HeldStock } from './hold-recalled-stock.ts'
import { notifyCustomers, type Notified } from './notify-customers.ts'

/** What an import of recalls did. */
export type RecallResult = HeldStock &
  Notified & {
    /** The new or changed recalls. */
    recalls: number
    /** How many of them name no package of the catalog. */
    outsideCatalog: number
    /** Open orders that do not ship until someone has acted. */
    openOrders: number
  }

/**
 * Applies the recalls that are new or have changed: holds the stock and tells customers. It may run
 * again, or in two processes: each effect happens once. What a crash leaves is done by a job. Open
 * orders need no change: shipping looks at the recalls in force.
 */
export async function processRecalls(ctx: Context, signal?: AbortSignal): Promise<RecallResult> {
  const tasks = await listRecallTasks(ctx.db)
  const ids = tasks.map(({ recallId }) => recallId)
  const recalls = ids.length === 0 ? [] : await listRecalls(ctx.db, { ids })
  const effects = await findRecallEffects(ctx, recalls)
  const held = await holdStock(ctx, effects)
  const notified = await notifyCustomers(ctx, effects.shipped, signal)
  if (!signal?.aborted && tasks.length > 0) {
    const until = new Date(Math.max(...tasks.map(({ requestedAt }) => requestedAt.getTime())))
    await deleteRecallTasks(ctx.db, ids, until)
  }
  return {
    recalls: recalls.length,
    outsideCatalog: effects.outsideCatalog,
    openOrders: new Set(effects.open.map(({ orderId }) => orderId)).size,
    ...held,
    ...notified,
  }
}
