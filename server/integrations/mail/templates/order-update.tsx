import type { TemplateProps } from '#server/integrations/mail/mail-message.ts'
import { trackingUrl } from '#domain/orders/carriers.ts'
import { Action, Aside, Paragraph, SupportLink, TextLink, type Template } from './mail-frame.tsx'

type OrderUpdate = TemplateProps<'order-update'>
type Message = {
  subject: string

  text: (update: OrderUpdate) => string
  /** What happens next, or what the customer can do. */
  next: (update: OrderUpdate) => string | null
}

/** "2026-02-01" → "February 1, 2026". */
const formatDate = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

const deliveryText = ({ estimatedDelivery }: OrderUpdate): string | null =>
  estimatedDelivery === null ? null : `It should arrive by ${formatDate(estimatedDelivery)}.`

/** The customer's bank decides when a refund appears; card networks allow ten business days. */
const bankDelayText = 'Your bank may take 5 to 10 business days to show it.'

const noHoldText = 'If your bank still shows a pending amount, it will disappear within a few days.'

const trackingText = ({ carrier, trackingNumber }: OrderUpdate): string | null => {
  const sentences = [
    carrier === null ? '' : `Shipped with ${carrier}.`,
    trackingNumber === null ? '' : `Tracking number: ${trackingNumber}.`,
  ]
  return sentences.filter(Boolean).join(' ') || null
}

const messages: Record<OrderUpdate['milestone'], Message> = {
  received: {
    subject: 'We received your order',
    text: () => 'Thank you. We received your order and your payment.',
    next: () =>
      'A partner pharmacy will check and pack it, usually within 1 to 2 business days. We’ll email you the tracking number when it ships. Until then, you can cancel it on the order page.',
  },
  authorized: {
    subject: 'We received your order',
    text: () =>
      'Thank you. We received your order. A pharmacist will check it against your prescription before we charge your card.',
    next: () =>
      'Your bank may show a pending amount until then. We’ll email you when we charge your card. We’ll never charge you for an item that the pharmacist doesn’t approve. Until the order ships, you can cancel it on the order page.',
  },
  charged: {
    subject: 'Your order was approved',
    text: ({ amount }) =>
      `A pharmacist checked your order, and we charged ${amount ?? 'the total'} to your card.`,
    next: () => 'We’ll email you the tracking number when it ships.',
  },
  reduced: {
    subject: 'We removed an item from your order',
    text: ({ amount }) =>
      amount === null
        ? 'A pharmacist couldn’t approve part of your order, so we removed it. Your card won’t be charged for it.'
        : `A pharmacist couldn’t approve part of your order, so we removed it. We’ll refund ${amount} to your card.`,
    next: () => 'The order page says what we removed, why, and what you can do.',
  },
  'reduced-late': {
    subject: 'We removed an item from your order',
    text: () =>
      'We couldn’t check part of your order before your card authorization expired, so we removed it. Your card won’t be charged for it.',
    next: () => 'You can order it again with one click on the order page.',
  },
  processing: {
    subject: 'Your order is being processed',
    text: () => 'A partner pharmacy is preparing your order.',
    next: () => 'We’ll email you the tracking number when it ships.',
  },
  shipped: {
    subject: 'Your order has shipped',
    text: (update) => ['Your order has left the pharmacy.', trackingText(update)].filter(Boolean).join(' '),
    next: deliveryText,
  },
  delivered: {
    subject: 'Your order was delivered',
    text: () => 'The carrier has delivered your order.',
    next: ({ supportEmail }) =>
      `If you haven’t received it, or something is wrong with it, email ${supportEmail} within 48 hours.`,
  },
  cancelled: {
    subject: 'Your order was cancelled',
    text: ({ amount }) =>
      amount === null
        ? 'Your order was cancelled.'
        : `Your order was cancelled. We’ll refund ${amount} to the card you paid with.`,
    next: ({ amount, supportEmail }) =>
      amount === null
        ? `If you have any questions, email ${supportEmail}.`
        : 'We’ll email you again when the refund is complete.',
  },
  'cancelled-in-capture': {
    subject: 'Your order was cancelled',
    text: () => 'Your order was cancelled while we were charging your card.',
    next: () => 'If the charge went through, we’ll refund it in full and email you.',
  },
  voided: {
    subject: 'Your order was cancelled',
    text: ({ orderRef }) =>
      orderRef === null
        ? 'No order was placed with your payment, so nothing will ship. Your card was not charged.'
        : 'Your order was cancelled. Your card was not charged.',
    next: () => noHoldText,
  },
  lapsed: {
    subject: 'Your order was cancelled',
    text: () =>
      'We couldn’t check your order before your card authorization expired, so we cancelled it. Your card was not charged.',
    next: () => `${noHoldText} You can order the same items again on the order page.`,
  },
  refunded: {
    subject: 'Your payment was refunded',
    text: ({ amount, orderRef }) =>
      [
        `We refunded ${amount ?? 'your payment'} to the card you paid with.`,
        orderRef === null ? 'No order was placed with this payment, so nothing will ship.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    next: () => bankDelayText,
  },
}

/** About the card, when no email follows. */
const lastCardTexts: Partial<Record<OrderUpdate['milestone'], string>> = {
  cancelled: bankDelayText,
  'cancelled-in-capture': 'If the charge went through, we’ll refund it in full.',
  voided: noHoldText,
}

/** The last email of a deleted account. It has no link to the order, which has no page any more. */
const LastUpdate = ({ text, milestone, amount, orderRef, supportEmail }: OrderUpdate & { text: string }) => (
  <>
    <Paragraph>{text}</Paragraph>
    {milestone === 'cancelled' && amount === null ? null : <Paragraph>{lastCardTexts[milestone]}</Paragraph>}
    <Paragraph>
      Your account was deleted, so this is our last email about this order. If you have any questions, email{' '}
      <SupportLink supportEmail={supportEmail} />.
    </Paragraph>
    <Aside>Order {orderRef}</Aside>
  </>
)

/**
 * Contains the order's status, but neither its items nor its address, because other people may read
 * the mailbox.
 */
export const orderUpdate: Template<'order-update'> = {
  subject: ({ milestone }) => messages[milestone].subject,
  body: (update) => {
    const { text, next } = messages[update.milestone]
    if (update.isLast) return <LastUpdate {...update} text={text(update)} />
    const nextText = next(update)
    const trackingHref = update.milestone === 'shipped' ? trackingUrl(update) : null
    return (
      <>
        <Paragraph>{text(update)}</Paragraph>
        {trackingHref === null ? null : (
          <Paragraph>
            <TextLink href={trackingHref}>Track your package</TextLink>
          </Paragraph>
        )}
        {nextText === null ? null : <Paragraph>{nextText}</Paragraph>}
        <Action href={update.link}>{update.orderRef === null ? 'Order History' : 'View your order'}</Action>
        {update.orderRef === null ? null : <Aside>Order {update.orderRef}</Aside>}
      </>
    )
  },
}
