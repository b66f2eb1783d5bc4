import { deleteCancelledCheckouts } from '#db/checkout/checkouts.ts'
import type { JobContext } from '../job-context.ts'

const retentionMs = 7 * 24 * 3600_000

/** Deletes checkouts that were never paid. No purpose requires keeping them longer than a week. */
export const deleteExpiredCheckouts = ({ db, now }: Pick<JobContext, 'db' | 'now'>): Promise<void> =>
  deleteCancelledCheckouts(db, { before: new Date(now().getTime() - retentionMs) })
