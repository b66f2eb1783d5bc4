import { deleteCancelledCheckouts } from '#db/checkout/checkouts.ts'
import type { JobContext } from '../job-context.ts'

const retentionMs = 7 * 24 * 3600_000

/** Deletes what somebody once began to order and never paid: nobody needs to know it a week later. */
export const deleteExpiredCheckouts = ({ db, now }: Pick<JobContext, 'db' | 'now'>): Promise<void> =>
  deleteCancelledCheckouts(db, { before: new Date(now().getTime() - retentionMs) })
