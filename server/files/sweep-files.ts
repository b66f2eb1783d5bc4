import { deleteFile, discardOwnerless, discardUnregistered, listDiscarded } from '#db/files/files.ts'
import { deleteTicket, listLapsedTickets } from '#db/files/upload-tickets.ts'
import type { Storage } from '../integrations/storage/storage.ts'
import type { JobContext } from '../job-context.ts'

const batch = 100
/** How long an uploaded file waits for the form that names it. */
const unregisteredMs = 24 * 3600_000
/** Longer than any upload lasts that began in time. */
const graceMs = 3600_000

type SweepContext = Pick<JobContext, 'db' | 'log' | 'now'> & { storage: Storage }

/**
 * Deletes what nothing names any longer: files given up, files that no form came for, what broken uploads left. The bytes go
 * first and the row last, so that whatever breaks in between is found again; deleting twice, by several processes even, is
 * deleting once.
 */
export async function sweepFiles(ctx: SweepContext, signal: AbortSignal): Promise<void> {
  const now = ctx.now()
  await discardUnregistered(ctx.db, { now, before: new Date(now.getTime() - unregisteredMs) })
  let after = ''
  while (!signal.aborted) {
    const files = await listDiscarded(ctx.db, { after, limit: batch })
    for (const { id, storageKey } of files) {
      if (await deleteBytes(ctx, storageKey)) await deleteFile(ctx.db, id)
    }
    const last = files.at(-1)
    if (!last || files.length < batch) break
    after = last.id
  }
  await sweepTickets(ctx, signal)
}

/** A used ticket without a file or a picture may have bytes: of an upload that broke off after they were stored. */
async function sweepTickets(ctx: SweepContext, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.now().getTime() - graceMs)
  while (!signal.aborted) {
    const tickets = await listLapsedTickets(ctx.db, { before, limit: batch })
    let deleted = 0
    for (const { id, usedAt, keptId } of tickets) {
      if (usedAt !== null && keptId === null && !(await deleteBytes(ctx, id))) continue
      await deleteTicket(ctx.db, id)
      deleted++
    }
    if (tickets.length < batch || deleted === 0) return
  }
}

/** The rarer half: files whose user is gone, and what a process that died was writing. */
export async function sweepLeftovers(ctx: SweepContext): Promise<void> {
  const now = ctx.now()
  await discardOwnerless(ctx.db, now)
  await ctx.storage.deleteLeftovers(new Date(now.getTime() - graceMs))
}

/** One that cannot be deleted now holds up no other; the next round tries it again. */
async function deleteBytes({ storage, log }: SweepContext, key: string): Promise<boolean> {
  try {
    await storage.delete(key)
    return true
  } catch (error) {
    log.warn({ err: error, fileId: key }, 'file not deleted yet')
    return false
  }
}
