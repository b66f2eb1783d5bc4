import { findSealedEmail } from '#db/accounts/users.ts'
import { openEmail } from '../accounts/sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import type { PropsOf } from '../mail/outbox-mail.ts'
import { queueMail } from '../mail/queue-mail.ts'

type News = Pick<PropsOf<'order-update'>, 'milestone'> &
  Partial<Pick<PropsOf<'order-update'>, 'amount' | 'trackingNumber' | 'carrier' | 'estimatedDelivery'>>

/** How much of an order's id its customer is shown. */
const refLength = 8

/**
 * Queues the mail of a milestone, in the transaction that reaches it.
 * @param orderId null when a payment came to no order
 */
export async function tellCustomer(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'shop' | 'isQuiet'>,
  { orderId, email }: { orderId: string | null; email: string },
  news: News,
): Promise<void> {
  if (ctx.isQuiet) return
  const { publicOrigin, supportEmail } = ctx.shop
  await queueMail(ctx, {
    to: { address: email },
    template: 'order-update',
    props: {
      orderRef: orderId === null ? null : orderId.slice(-refLength),
      link: `${publicOrigin}/${orderId === null ? 'order-history' : `orders/${orderId}`}`,
      supportEmail,
      amount: null,
      trackingNumber: null,
      carrier: null,
      estimatedDelivery: null,
      ...news,
    },
  })
}

/** Where a customer reads mail by now, whatever address the order was placed with; null when their account is gone. */
export async function emailNow(ctx: Pick<Context, 'db' | 'keys'>, userId: string): Promise<string | null> {
  const sealed = await findSealedEmail(ctx.db, userId)
  const key = sealed && (await openUserKey(ctx, userId))
  return sealed && key && openEmail(key, sealed)
}
