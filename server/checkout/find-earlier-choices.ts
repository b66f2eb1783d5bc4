import { findLastOrder } from '#db/orders/orders.ts'
import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import type { Address } from '#domain/accounts/addresses.ts'
import { listAccountItems } from '../cart/cart-lines.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { hashCustomer, openCheckout } from './sealed-checkout.ts'

/** What the customer chose before; each is null when it is not known. */
type EarlierChoices = {
  address: Address | null
  /** A prescription, and when it was chosen. */
  prescription: { id: string; at: Date } | null
  patientId: string | null
  /**
   * When the customer last placed an order, tried to pay or ordered again, in Unix milliseconds; 0
   * for never.
   */
  changedAt: number
}

/**
 * The choices before a card was declined or a verification failed. Whom the order is for is also
 * known from an order that the customer ordered again; the newer one wins.
 */
export async function findEarlierChoices(ctx: Context): Promise<EarlierChoices> {
  const { id: userId } = requireUser(ctx)
  const [row, items, order] = await Promise.all([
    findOpenCheckout(ctx.db, hashCustomer(ctx.keys, userId)),
    listAccountItems(ctx, userId),
    findLastOrder(ctx.db, userId, new Date(0)),
  ])
  const open = row && row.expiresAt > ctx.now ? row : null
  const content = open && openCheckout(ctx.keys, open)
  const line = content?.lines.find(({ product }) => product.category !== 'Rx')
  const people = items.flatMap(({ again }) => again ?? [])
  if (open && line) people.push({ patientId: line.patientId ?? userId, at: open.updatedAt.getTime() })
  const prescriptionId = content?.prescriptionId
  return {
    address: content?.shipTo?.parts ?? null,
    prescription: open && prescriptionId ? { id: prescriptionId, at: open.updatedAt } : null,
    changedAt: Math.max(
      order?.createdAt.getTime() ?? 0,
      open?.updatedAt.getTime() ?? 0,
      ...people.map(({ at }) => at),
    ),
    patientId: people.toSorted((a, b) => b.at - a.at)[0]?.patientId ?? null,
  }
}
