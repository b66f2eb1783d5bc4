import { deleteOldRows, oldRowsNames } from '#db/privacy/old-rows.ts'
import { endsBefore, retention } from '#domain/privacy/retention.ts'
import type { JobContext } from '../job-context.ts'

const batchSize = 500

/**
 * Deletes what has outlived its time by the table of retention, in batches until none is left or
 * `signal` aborts.
 */
export async function deleteAllOldRows(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of oldRowsNames) {
    const before = endsBefore(retention[name], now())
    while (!signal.aborted) {
      if ((await deleteOldRows(db, name, { before, limit: batchSize })) < batchSize) break
    }
  }
}
