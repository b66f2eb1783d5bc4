import { findCheckout, replaceCheckoutContent } from '#db/checkout/checkouts.ts'
import type { Context } from '../context.ts'
import { openCheckout, sealCheckout } from './sealed-checkout.ts'

/** Removes the name, email address and shipping address from a checkout that has ended. */
export async function removeCheckoutCustomer(ctx: Pick<Context, 'db' | 'keys'>, id: string): Promise<void> {
  const row = await findCheckout(ctx.db, id)
  if (!row) return
  const { userId, lines, prescriptionId } = openCheckout(ctx.keys, row)
  const content = { userId, lines, prescriptionId, shipTo: null, customer: { name: '', email: '' } }
  await replaceCheckoutContent(ctx.db, { id, sealedFrozen: sealCheckout(ctx.keys, id, content) })
}
