import { chainPending } from '#db/audit/audit.ts'
import { createLinkHash } from '../audit/chain-hash.ts'
import { formatHead } from '../audit/saved-heads.ts'
import type { JobContext } from '../job-context.ts'

/** Small enough that other writers on SQLite wait a few milliseconds at most. */
const batchSize = 500

/**
 * Chains new rows of the audit log in batches until none is left or `signal` aborts. Every process
 * runs the job, one at a time does the work. The new head goes to the process log, which an
 * attacker with access to the database cannot change: `audit:verify --head` checks the chain
 * against it.
 */
export async function chainAudit(
  ctx: Pick<JobContext, 'db' | 'log' | 'keys'>,
  signal: AbortSignal,
): Promise<void> {
  const hashOf = createLinkHash(ctx.keys)
  let last = null
  while (!signal.aborted) {
    const result = await chainPending(ctx.db, { limit: batchSize, hashOf })
    if (!result) break
    last = result.head
    if (result.chained < batchSize) break
  }
  if (last) ctx.log.info({ head: formatHead(last) }, 'audit log chained')
}
