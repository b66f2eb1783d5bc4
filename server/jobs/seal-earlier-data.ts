import { sealEarlierCarts } from '../cart/seal-earlier-carts.ts'
import { sealEarlierCheckouts } from '../checkout/seal-earlier-checkouts.ts'
import type { Context } from '../context.ts'

/**
 * Finishes migration 0027, which has no keys: seals what an earlier version stored in plaintext and
 * the use cases no longer read. Run it before the shop serves requests. Rows of the ledger are read
 * in both forms, and a job seals them.
 */
export async function sealEarlierData(ctx: Pick<Context, 'db' | 'keys'>): Promise<void> {
  await sealEarlierCarts(ctx)
  await sealEarlierCheckouts(ctx)
}
