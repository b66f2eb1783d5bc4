import { listOrdersToForget } from '#db/dispensing/line-reviews.ts'
import { setListedChemicalSchedule } from '#db/catalog/listed-chemicals.ts'
import { listedChemical } from '../catalog/directory/schedules.ts'
import type { Context } from '../context.ts'
import { removeOrderCustomer } from '../orders/remove-customer.ts'
import { createEarlierReviews } from '../reviews/create-earlier-reviews.ts'

/**
 * Completes what an earlier shop stored: prescription lines on their way get a pharmacist's review,
 * products with pseudoephedrine, ephedrine or phenylpropanolamine are no longer for sale, and what
 * staff wrote about lines leaves the orders of deleted accounts. Run it before the shop serves.
 */
export async function completeEarlierData(ctx: Pick<Context, 'db' | 'keys'>): Promise<void> {
  await createEarlierReviews(ctx)
  await setListedChemicalSchedule(ctx.db, listedChemical)
  await forgetNotes(ctx)
}

const batchSize = 100

async function forgetNotes(ctx: Pick<Context, 'db' | 'keys'>): Promise<void> {
  for (;;) {
    const orders = await listOrdersToForget(ctx.db, batchSize)
    for (const order of orders) await removeOrderCustomer(ctx, order)
    if (orders.length < batchSize) return
  }
}
