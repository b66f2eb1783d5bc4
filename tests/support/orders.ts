import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { Order } from '#domain/orders/orders.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { openCheckout } from '#server/checkout/create-checkout.ts'
import type { Context } from '#server/context.ts'
import { addVariant } from './catalog.ts'
import { pay, shipTo } from './checkouts.ts'
import { signedIn, testContext } from './context.ts'

export const homeText = shipTo.text

type Said = {
  items?: { productVariantId: string; quantity: number }[]
  prescriptionId?: string | null
  user?: Partial<SessionUser>
  /** What differs in the context: the clock. */
  ctx?: Partial<Context>
}

/** A paid order of a user, by the shop's own way; of a variant made for it when no items are said. */
export async function placeOrder(db: Db, userId: string, said: Said = {}): Promise<Order> {
  const ctx = testContext(db, { user: signedIn(userId, said.user), ...said.ctx })
  const items = said.items ?? [{ productVariantId: await addVariant(db), quantity: 2 }]
  const prescriptionId = said.prescriptionId ?? null
  const { payment } = await openCheckout(ctx, { items, shipTo, prescriptionId })
  await pay(db, payment)
  return (await finalizeCheckout(ctx, payment.id)).order
}
