import type { TemplateProps } from '#server/integrations/mail/mail-message.ts'
import { Action, Aside, Paragraph, type Template } from './mail-frame.tsx'

type OrderUpdate = TemplateProps<'order-update'>
type Message = {
  subject: string
  /** What happened. */
  text: (update: OrderUpdate) => string
  /** What comes next, or what there is to do. */
  next: (update: OrderUpdate) => string | null
}

/** "2026-02-01" → "February 1, 2026". */
const formatDate = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

const deliveryText = ({ estimatedDelivery }: OrderUpdate): string | null =>
  estimatedDelivery === null ? null : `It should be with you by ${formatDate(estimatedDelivery)}.`

/** When money is back is the customer's bank's to say; ten business days is what card networks allow it. */
const bankDelayText = 'Your bank may take 5 to 10 business days to show it.'

const trackingText = ({ carrier, trackingNumber }: OrderUpdate): string | null => {
  if (trackingNumber === null) return carrier === null ? null : `It travels with ${carrier}.`
  return `${carrier === null ? 'Its' : `It travels with ${carrier}; the`} tracking number is ${trackingNumber}.`
}

const messages: Record<OrderUpdate['milestone'], Message> = {
  received: {
    subject: 'We have your order',
    text: () => 'Thank you. Your order was placed, and its payment has arrived.',
    next: () =>
      'A partner pharmacy checks and packs it, mostly within 1 to 2 business days. You hear from us again when it is on its way, with its tracking number. Until then you can cancel it on its page.',
  },
  processing: {
    subject: 'Your order is being processed',
    text: () => 'A partner pharmacy is preparing your order.',
    next: () => 'You hear from us again when it is on its way, with its tracking number.',
  },
  shipped: {
    subject: 'Your order is on its way',
    text: (update) => ['Your order has left the pharmacy.', trackingText(update)].filter(Boolean).join(' '),
    next: deliveryText,
  },
  delivered: {
    subject: 'Your order was delivered',
    text: () => 'The carrier says that your order was delivered.',
    next: ({ supportEmail }) =>
      `If it has not reached you, or something about it is wrong, write to ${supportEmail} within 48 hours.`,
  },
  cancelled: {
    subject: 'Your order was cancelled',
    text: ({ amount }) =>
      amount === null
        ? 'Your order was cancelled.'
        : `Your order was cancelled, and ${amount} goes back to the card that paid for it.`,
    next: ({ amount, supportEmail }) =>
      amount === null
        ? `If you have a question about it, write to ${supportEmail}.`
        : 'You hear from us again when the refund is made.',
  },
  refunded: {
    subject: 'Your payment was refunded',
    text: ({ amount, orderRef }) =>
      [
        `We have given ${amount ?? 'your payment'} back to the card that paid.`,
        orderRef === null ? 'No order came of this payment, so nothing will be shipped.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    next: () => bankDelayText,
  },
}

/** Tells where an order is, and nothing of what is in it or where it goes: a mailbox is read by others, too. */
export const orderUpdate: Template<'order-update'> = {
  subject: ({ milestone }) => messages[milestone].subject,
  body: (update) => {
    const { text, next } = messages[update.milestone]
    const nextText = next(update)
    return (
      <>
        <Paragraph>{text(update)}</Paragraph>
        {nextText === null ? null : <Paragraph>{nextText}</Paragraph>}
        <Action href={update.link}>{update.orderRef === null ? 'Order History' : 'View your order'}</Action>
        {update.orderRef === null ? null : <Aside>Order {update.orderRef}</Aside>}
      </>
    )
  },
}
