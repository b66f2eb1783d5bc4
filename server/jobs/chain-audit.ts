import { chainWaiting } from '#db/audit/audit.ts'
import { chainHash } from '../audit/chain-hash.ts'
import type { JobContext } from '../job-context.ts'

/** So few that writers on SQLite wait some milliseconds for it at most. */
const batchSize = 500

/**
 * Appends the log's new rows to its chain, batch by batch, until none waits or `signal` says stop. Every process runs it, one at
 * a time does it. The new end goes to the process's log, which whoever changes the database does not reach: `audit:verify --head`
 * holds the chain to it.
 */
export async function chainAudit(ctx: Pick<JobContext, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  let last = null
  while (!signal.aborted) {
    const chained_ = await chainWaiting(ctx.db, { limit: batchSize, hashOf: chainHash })
    if (!chained_) break
    last = chained_.head
    if (chained_.chained < batchSize) break
  }
  if (last) ctx.log.info({ head: `${last.seq}:${last.hash}` }, 'audit log chained')
}
