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
    /** How many of them name no package in the catalog. */
    outsideCatalog: number
    /** Open orders that do not ship until staff act. */
    openOrders: number
  }

/** How old a task is when its effects are final: what was just being shipped is done by then. */
const settledMs = 60_000

/**
 * Applies the recalls that are new or have changed: holds the stock and notifies customers. It
 * may run again, or in two processes: each effect happens once. Open orders need no change:
 * shipping checks the recalls in force.
 */
export async function applyRecalls(
  ctx: Context,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<RecallResult> {
  const recalls = ids.length === 0 ? [] : await listRecalls(ctx.db, { ids })
  const effects = await findRecallEffects(ctx, recalls)
  const held = await holdStock(ctx, effects)
  const notified = await notifyCustomers(ctx, effects.shipped, signal)
  return {
    recalls: recalls.length,
    outsideCatalog: effects.outsideCatalog,
    openOrders: new Set(effects.open.map(({ orderId }) => orderId)).size,
    ...held,
    ...notified,
  }
}

/**
 * The same for all imports whose effects are not final, as a job does: what a crash left, and
 * orders that were just being shipped while a recall was imported.
 */
export async function settleRecalls(ctx: Context, signal?: AbortSignal): Promise<void> {
  const tasks = await listRecallTasks(ctx.db)
  if (tasks.length === 0) return
  const ids = tasks.map(({ recallId }) => recallId)
  await applyRecalls(ctx, ids, signal)
  if (!signal?.aborted) await deleteRecallTasks(ctx.db, ids, new Date(ctx.now.getTime() - settledMs))
}
