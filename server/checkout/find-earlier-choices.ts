import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import type { Address } from '#domain/accounts/addresses.ts'
import { listAccountItems } from '../cart/cart-lines.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { hashCustomer, openCheckout } from './sealed-checkout.ts'

/** What the customer chose before; each is null when it is not known. */
type EarlierChoices = { address: Address | null; prescriptionId: string | null; patientId: string | null }

/**
 * The choices before a card was declined or a verification failed. Whom the order is for is also
 * known from an order that the customer ordered again; the newer of the two counts.
 */
export async function findEarlierChoices(ctx: Context): Promise<EarlierChoices> {
  const { id: userId } = requireUser(ctx)
  const [row, items] = await Promise.all([
    findOpenCheckout(ctx.db, hashCustomer(ctx.keys, userId)),
    listAccountItems(ctx, userId),
  ])
  const open = row && row.expiresAt > ctx.now ? row : null
  const content = open && openCheckout(ctx.keys, open)
  const line = content?.lines.find(({ product }) => product.category !== 'Rx')
  const people = items.flatMap(({ again }) => again ?? [])
  if (open && line) people.push({ patientId: line.patientId ?? userId, at: open.updatedAt.getTime() })
  return {
    address: content?.shipTo?.parts ?? null,
    prescriptionId: content?.prescriptionId ?? null,
    patientId: people.toSorted((a, b) => b.at - a.at)[0]?.patientId ?? null,
  }
}
