import { listOrdersWithEarlierNotes } from '#db/dispensing/line-reviews.ts'
import { eachRow } from '#db/engine/each-row.ts'
import { setListedChemicalSchedule } from '#db/catalog/listed-chemicals.ts'
import { listedChemical } from '../catalog/directory/schedules.ts'
import type { Context } from '../context.ts'
import { tryReadOrderContent } from '../orders/order-reader.ts'
import { removeOrderCustomer } from '../orders/remove-customer.ts'
import { createEarlierReviews } from '../reviews/create-earlier-reviews.ts'

/**
 * Completes what an earlier shop stored: prescription lines on their way get a pharmacist's review,
 * products with pseudoephedrine, ephedrine or phenylpropanolamine are no longer for sale, and what
 * staff wrote about lines leaves the orders of deleted accounts. Run it before the shop serves.
 */
export async function completeEarlierData(ctx: Pick<Context, 'db' | 'keys' | 'log'>): Promise<void> {
  await createEarlierReviews(ctx)
  await setListedChemicalSchedule(ctx.db, listedChemical)
  await deleteEarlierNotes(ctx)
}

const batchSize = 100

/** One order that cannot be decrypted is logged, and does not keep the shop from starting. */
async function deleteEarlierNotes(ctx: Pick<Context, 'db' | 'keys' | 'log'>): Promise<void> {
  const orders = eachRow((page) => listOrdersWithEarlierNotes(ctx.db, page), { key: 'id', limit: batchSize })
  for await (const order of orders) {
    if (!tryReadOrderContent(ctx, order)) continue
    await ctx.db.transaction().execute((db) => removeOrderCustomer({ ...ctx, db }, order))
  }
}
