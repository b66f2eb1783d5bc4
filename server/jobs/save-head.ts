import { findChainHead } from '#db/audit/audit.ts'
import { whenDurable } from '#db/engine/client.ts'
import { formatHead, type HeadStore } from '../audit/saved-heads.ts'
import type { JobContext } from '../job-context.ts'

const everyMs = 5 * 60_000

/**
 * The job that saves the newest head of the audit chain outside the database: the first one at
 * once, then every five minutes if it has changed. A failure is logged with the head and retried in
 * the next run. Every process saves for itself, and a head covers all that were missed.
 */
export function createHeadJob(
  ctx: Pick<JobContext, 'db' | 'log' | 'now'>,
  store: HeadStore,
): (signal: AbortSignal) => Promise<void> {
  let saved: { text: string; at: Date } | null = null
  return async (signal) => {
    const now = ctx.now()
    if (saved && now.getTime() - saved.at.getTime() < everyMs) return
    const head = await findChainHead(ctx.db)
    if (!head || formatHead(head) === saved?.text) return
    // A head that a power cut could undo would look like a row that someone deleted.
    await whenDurable(ctx.db)
    try {
      await store.save(head, now, signal)
      saved = { text: formatHead(head), at: now }
    } catch (error) {
      if (signal.aborted) return
      ctx.log.error({ err: error, head: formatHead(head) }, 'audit head not saved')
      throw error
    }
  }
}
