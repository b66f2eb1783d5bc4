import { deleteRecallTasks, listRecalls, listRecallTasks } from '#db/screening/recalls.ts'
import type { Context } from '../context.ts'
import { findRecalledOrders, findRecalledStock, matchCatalog } from './find-recall-effects.ts'
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
    /** Shipped orders that could not be decrypted. Their customers were not notified. */
    unreadableOrders: number
  }

/** How old a task is when its effects are final: what was just being shipped is done by then. */
const settledMs = 60_000

/**
 * Applies the recalls that are new or have changed: holds the stock and notifies customers. It
 * may run again, or in two processes: each effect happens once. Open orders need no change:
 * shipping checks the current recalls. The stock is held before any order is read, so that no
 * order can prevent it.
 */
export async function applyRecalls(
  ctx: Context,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<RecallResult> {
  const recalls = ids.length === 0 ? [] : await listRecalls(ctx.db, { ids })
  const { recallsOf, outsideCatalog } = await matchCatalog(ctx, recalls)
  const [held] = await Promise.allSettled([holdStock(ctx, await findRecalledStock(ctx, recallsOf))])
  const { open, shipped, unreadable } = await findRecalledOrders(ctx, recallsOf)
  const notified = await notifyCustomers(ctx, shipped, signal)
  // Only now: stock that can't be held must not keep customers from their email.
  if (held.status === 'rejected') throw held.reason
  return {
    recalls: recalls.length,
    outsideCatalog,
    openOrders: new Set(open.map(({ orderId }) => orderId)).size,
    unreadableOrders: unreadable,
    ...held.value,
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
