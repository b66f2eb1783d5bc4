import { listPlainAccountCarts, saveAccountLine } from '#db/cart/account-carts.ts'
import { deleteCart } from '#db/cart/carts.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { sealLine } from './cart-lines.ts'

const cartsPerTransaction = 50

/**
 * Seals accounts' carts from before migration 0027, which are in plaintext, and deletes the
 * plaintext. It can be interrupted and run again.
 */
export async function sealEarlierCarts({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<void> {
  for (let hasMore = true; hasMore;) {
    hasMore = await db.transaction().execute(async (tx) => {
      const carts = await listPlainAccountCarts(tx, cartsPerTransaction)
      for (const { cartId, userId, lines } of carts) {
        const key = await openUserKey({ db: tx, keys }, userId)
        for (const { variantId, quantity, priceCents, createdAt } of key ? lines : []) {
          const line = { variantId, quantity, priceCents, at: createdAt.getTime() }
          if (key) await saveAccountLine(tx, sealLine(keys, key, userId, line))
        }
        await deleteCart(tx, cartId)
      }
      return carts.length === cartsPerTransaction
    })
  }
}
