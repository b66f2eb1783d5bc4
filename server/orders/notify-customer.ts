import type { Context } from '../context.ts'
import type { TemplateProps } from '../integrations/mail/mail-message.ts'
import { queueMail } from '../mail/queue-mail.ts'

type OrderUpdate = Pick<TemplateProps<'order-update'>, 'milestone'> &
  Partial<Pick<TemplateProps<'order-update'>, 'amount' | 'trackingNumber' | 'carrier' | 'estimatedDelivery'>>

/** How much of an order's id its customer is shown. */
const refLength = 8

/**
 * Queues the mail of a milestone, in the transaction that reaches it.
 * @param orderId null when a payment came to no order
 */
export async function notifyCustomer(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'shop' | 'isQuiet'>,
  { orderId, email }: { orderId: string | null; email: string },
  update: OrderUpdate,
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
      ...update,
    },
  })
}
