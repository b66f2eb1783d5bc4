import { orderRef } from '#domain/orders/order-ref.ts'
import { paths } from '#domain/paths.ts'
import type { Context } from '../context.ts'
import type { TemplateProps } from '../integrations/mail/mail-message.ts'
import { queueMail } from '../mail/queue-mail.ts'

type OrderUpdate = Pick<TemplateProps<'order-update'>, 'milestone'> &
  Partial<
    Pick<
      TemplateProps<'order-update'>,
      'amount' | 'trackingNumber' | 'carrier' | 'estimatedDelivery' | 'isLast'
    >
  >

/**
 * Queues the email of a milestone in the caller's transaction.
 * @param orderId null when a payment has no order
 * @param held an email that waits while the change can be undone
 */
export async function notifyCustomer(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'shop' | 'suppressesMail'>,
  { orderId, email }: { orderId: string | null; email: string },
  update: OrderUpdate,
  held?: { id: string; dueAt: Date },
): Promise<void> {
  if (ctx.suppressesMail) return
  const { publicOrigin, supportEmail } = ctx.shop
  const mail = {
    to: { address: email },
    template: 'order-update',
    props: {
      orderRef: orderId === null ? null : orderRef(orderId),
      link: publicOrigin + (orderId === null ? paths.orderHistory : paths.order(orderId)),
      supportEmail,
      amount: null,
      trackingNumber: null,
      carrier: null,
      estimatedDelivery: null,
      ...update,
    },
  } as const
  await queueMail(ctx, mail, held)
}
