import { listCheckoutsToSeal, sealCheckoutCustomer, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { checkoutContentSchema } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { unseal } from '../crypto/sealing.ts'
import { hashCustomer, sealCheckout } from './sealed-checkout.ts'

const checkoutsPerTransaction = 200

/** Checkouts from before migration 0027 do not name their customer in the sealed content. */
const earlierContentSchema = checkoutContentSchema.omit({ userId: true })

/**
 * Seals who made the checkouts from before migration 0027. It can be interrupted and run again.
 */
export async function sealEarlierCheckouts({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<void> {
  for (let hasMore = true; hasMore;) {
    hasMore = await db.transaction().execute(async (tx) => {
      const rows = await listCheckoutsToSeal(tx, checkoutsPerTransaction)
      for (const row of rows) {
        const { id, userHash: userId } = row
        const sealedFrozen = addCustomer(keys, row, userId)
        await sealCheckoutCustomer(tx, { id, sealedFrozen, userHash: hashCustomer(keys, userId) }, row)
      }
      return rows.length === checkoutsPerTransaction
    })
  }
}

/** A content that does not open stays as it is: a checkout of a lost key must not stop the shop. */
function addCustomer(keys: ShopKeys, { id, sealedFrozen }: CheckoutRow, userId: string): string {
  try {
    const text = unseal(keys, bindings.checkout(id), sealedFrozen)
    return sealCheckout(keys, id, { userId, ...earlierContentSchema.parse(JSON.parse(text)) })
  } catch {
    return sealedFrozen
  }
}
