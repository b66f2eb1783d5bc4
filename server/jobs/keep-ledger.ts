import { countInbox } from '#db/ledger/sealed-rows.ts'
import type { JobContext } from '../job-context.ts'
import { closeBatches } from '../ledger/close-batches.ts'
import { sealEarlierRows } from '../ledger/seal-earlier-rows.ts'

/**
 * The job of the sealed ledger: seals the earlier rows once, then closes batches. It opens the
 * inbox only when enough rows have come for a batch: a small shop may keep many for weeks.
 */
export function createLedgerJob(ctx: JobContext): (signal: AbortSignal) => Promise<void> {
  let isSealed = false
  let nextCount = 0
  return async (signal) => {
    if (!isSealed) {
      await sealEarlierRows(ctx, { signal })
      isSealed = !signal.aborted
    }
    if (signal.aborted || (await countInbox(ctx.db)) < nextCount) return
    nextCount = await closeBatches(ctx, { signal })
  }
}
