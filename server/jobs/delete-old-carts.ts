import { deleteOldVisitorCarts } from '#db/cart/carts.ts'
import type { JobContext } from '../job-context.ts'

const retentionMs = 30 * 24 * 3600_000
const batchSize = 200

/**
 * Deletes visitors' carts that were not changed for 30 days, in batches until none is left or
 * `signal` aborts. The browser restores its cart from its own copy.
 */
export async function deleteOldCarts(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - retentionMs)
  while (!signal.aborted) {
    if ((await deleteOldVisitorCarts(db, { before, limit: batchSize })) < batchSize) return
  }
}
