import { eraseDeleted as erase, findOldestErasure } from '#db/crypto/erasures.ts'
import { AppError } from '#domain/errors.ts'
import type { JobContext } from '../job-context.ts'

/** Longer than any statement of the shop, so something else blocks the erasure. */
const alertMs = 3600_000

/**
 * Erases deleted keys and values from the files of the database. Requests survive a restart, and
 * every process runs the job. Throws UNAVAILABLE when a long read or a backup blocks it; the next
 * run tries again, however long that takes, and after an hour the log has an error.
 */
export async function eraseDeleted({ db, log, now }: Pick<JobContext, 'db' | 'log' | 'now'>): Promise<void> {
  if ((await findOldestErasure(db)) === null) return
  await erase(db)
  const since = await findOldestErasure(db)
  if (since === null) return
  if (now().getTime() - since.getTime() > alertMs) log.error({ since }, 'deleted data not erased yet')
  throw new AppError('UNAVAILABLE', 'Deleted data is not erased from the database’s files yet.')
}
