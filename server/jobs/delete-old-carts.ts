import { deleteOldVisitorCarts } from '#db/cart/carts.ts'
import { endsBefore, retention } from '#domain/privacy/retention.ts'
import type { JobContext } from '../job-context.ts'

const batchSize = 200

/**
 * Deletes visitors' carts that were not changed for 30 days, in batches until none is left or
 * `signal` aborts. The browser restores its cart from its own copy.
 */
export async function deleteOldCarts(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const before = endsBefore(retention.visitorCarts, now())
  while (!signal.aborted) {
    if ((await deleteOldVisitorCarts(db, { before, limit: batchSize })) < batchSize) return
  }
}
