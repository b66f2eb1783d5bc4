import { whenDurable } from '#db/engine/client.ts'
import { deleteFile, discardOrphaned, discardUnregistered, listDiscarded } from '#db/files/files.ts'
import { deleteTicket, listExpiredTickets } from '#db/files/upload-tickets.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import type { Storage } from '../integrations/storage/storage.ts'
import type { JobContext } from '../job-context.ts'

const batch = 100
/** How long an uploaded file waits for the form that references it. */
const unregisteredMs = 24 * 3600_000
/** Longer than any upload that started before its ticket expired. */
const graceMs = 3600_000

type SweepContext = Pick<JobContext, 'db' | 'log' | 'now'> & { storage: Storage }

/**
 * Deletes what nothing references anymore: discarded files, files whose form was never submitted,
 * and the remains of failed uploads. The bytes go first and the row last, so a failure in between
 * is found again. Deleting twice, even from several processes, is safe.
 */
export async function sweepFiles(ctx: SweepContext, signal: AbortSignal): Promise<void> {
  const now = ctx.now()
  await discardUnregistered(ctx.db, { now, before: new Date(now.getTime() - unregisteredMs) })
  let after = ''
  while (!signal.aborted) {
    const files = await listDiscarded(ctx.db, { after, limit: batch })
    // Deleted bytes are gone, even if a power cut undoes why.
    await whenDurable(ctx.db)
    for (const { id, storageKey } of files) {
      if (await deleteBytes(ctx, storageKey)) await deleteFile(ctx.db, id)
    }
    if (files.length > 0) await requestErasure({ db: ctx.db, now }, 'value')
    const last = files.at(-1)
    if (!last || files.length < batch) break
    after = last.id
  }
  await sweepTickets(ctx, signal)
}

/**
 * A used ticket without a file or picture may have bytes: the upload failed after they were stored.
 */
async function sweepTickets(ctx: SweepContext, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.now().getTime() - graceMs)
  let after = ''
  while (!signal.aborted) {
    const tickets = await listExpiredTickets(ctx.db, { before, after, limit: batch })
    await whenDurable(ctx.db)
    for (const { id, usedAt, storedId } of tickets) {
      if (usedAt !== null && storedId === null && !(await deleteBytes(ctx, id))) continue
      await deleteTicket(ctx.db, id)
    }
    const last = tickets.at(-1)
    if (!last || tickets.length < batch) return
    after = last.id
  }
}

/** Runs less often: files whose user was deleted, and what a crashed process was writing. */
export async function sweepLeftovers(ctx: SweepContext): Promise<void> {
  const now = ctx.now()
  await discardOrphaned(ctx.db, now)
  await ctx.storage.deleteLeftovers(new Date(now.getTime() - graceMs))
}

/** A failed deletion does not stop the others; the next sweep retries it. */
async function deleteBytes({ storage, log }: SweepContext, key: string): Promise<boolean> {
  try {
    await storage.delete(key)
    return true
  } catch (error) {
    log.warn({ err: error, fileId: key }, 'file not deleted yet')
    return false
  }
}
