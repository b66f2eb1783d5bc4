import { deleteCancelledCheckouts } from '#db/checkout/checkouts.ts'
import { endsBefore, retention } from '#domain/privacy/retention.ts'
import type { JobContext } from '../job-context.ts'

/** Deletes checkouts that were never paid. No purpose requires keeping them longer than a week. */
export const deleteExpiredCheckouts = ({ db, now }: Pick<JobContext, 'db' | 'now'>): Promise<void> =>
  deleteCancelledCheckouts(db, { before: endsBefore(retention.unpaidCheckouts, now()) })
