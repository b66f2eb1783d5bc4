import { setListedChemicalSchedule } from '#db/catalog/listed-chemicals.ts'
import { listedChemical } from '../catalog/directory/schedules.ts'
import type { Context } from '../context.ts'
import { createEarlierReviews } from '../reviews/create-earlier-reviews.ts'

/**
 * Completes what an earlier shop stored: prescription lines on their way get a pharmacist's review,
 * and products with pseudoephedrine, ephedrine or phenylpropanolamine are no longer for sale. Run
 * it before the shop serves.
 */
export async function completeEarlierData(ctx: Pick<Context, 'db' | 'keys'>): Promise<void> {
  await createEarlierReviews(ctx)
  await setListedChemicalSchedule(ctx.db, listedChemical)
}
