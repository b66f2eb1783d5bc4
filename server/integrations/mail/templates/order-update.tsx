import type { PropsOf } from '#server/mail/outbox-mail.ts'
import { Action, Paragraph, type Template } from './mail-frame.tsx'

type Milestone = PropsOf<'order-update'>['milestone']

const words: Record<Milestone, { subject: string; text: string }> = {
  received: { subject: 'We have your order', text: 'Thank you. Your order was placed and paid.' },
  processing: {
    subject: 'Your order is being processed',
    text: 'A partner pharmacy is preparing your order.',
  },
  shipped: { subject: 'Your order is on its way', text: 'Your order has left the pharmacy.' },
  delivered: { subject: 'Your order was delivered', text: 'The carrier says that your order was delivered.' },
  cancelled: {
    subject: 'Your order was cancelled',
    text: 'Your order was cancelled. It is refunded in full.',
  },
  refunded: { subject: 'Your payment was refunded', text: 'We have given your payment back.' },
}

/** Tells where an order is, and nothing of what is in it: a mailbox is read by others, too. */
export const orderUpdate: Template<'order-update'> = {
  subject: ({ milestone }) => words[milestone].subject,
  body: ({ milestone, link }) => (
    <>
      <Paragraph>{words[milestone].text}</Paragraph>
      <Action href={link}>My Orders</Action>
    </>
  ),
}
