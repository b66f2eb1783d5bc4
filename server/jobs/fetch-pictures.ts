import { claimFetch, listDueFetches, noteFailedFetch, saveImageCopy } from '#db/catalog/picture-fetches.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { inTransaction } from '../context.ts'
import { fetchPicture } from '../files/fetch-picture.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'

const batch = 10
const minuteMs = 60_000
/** The pause after each failed attempt; after the last one it is given up. */
const pausesMs = [1, 10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * minuteMs)

/**
 * Fetches pictures of other sites that could not be fetched when their product was saved, and those
 * of products from before pages showed copies only.
 */
export async function fetchPictures(
  job: JobContext,
  parts: UseCaseParts,
  signal: AbortSignal,
): Promise<void> {
  const due = await listDueFetches(job.db, { now: job.now(), limit: batch })
  for (const { productId, url, pictureId, attempts } of due) {
    if (signal.aborted) return
    const ctx = createJobContext(job, parts)
    const until = new Date(ctx.now.getTime() + minuteMs)
    if (!(await claimFetch(ctx.db, { productId, pictureId, attempts, until }))) continue
    const origin = { actorId: shopSubjectId, reserveId: async () => pictureId }
    const fetched = await fetchPicture(ctx, url, origin)
    if (fetched.outcome === 'stored') {
      const { path } = fetched
      await inTransaction(ctx, (ctx) => saveImageCopy(ctx.db, { productId, url, path, now: ctx.now }))
      continue
    }
    const pauseMs = fetched.outcome === 'unreachable' ? pausesMs[attempts] : undefined
    const dueAt = pauseMs === undefined ? null : new Date(ctx.now.getTime() + pauseMs)
    await noteFailedFetch(ctx.db, { productId, pictureId, problem: fetched.reason, dueAt })
    job.log.warn({ productId, reason: fetched.reason, isGivenUp: dueAt === null }, 'picture not fetched')
  }
}
