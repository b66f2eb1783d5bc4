import { renderMail } from '#server/integrations/mail/render-mail.ts'
import { openSmtp } from '#server/integrations/mail/smtp.ts'
import type { TemplateProps, TemplatedMail } from '#server/integrations/mail/mail-message.ts'
import { sealMail, unsealMail } from '#server/mail/sealed-mail.ts'
import { testDay } from '#tests/support/catalog.ts'
import { testKeys } from '#tests/support/context.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { expect, onTestFinished, test } from 'vitest'

const to = { address: 'zoe@customer.example' }
const link = 'https://shop.example/confirm-email?token=a-b_c&next=%2F'
const support = { supportEmail: 'support@shop.example' }

const orderLink = 'https://shop.example/orders/019a7c1e-0000-7000-8000-00001234abcd'
const order = (
  milestone: TemplateProps<'order-update'>['milestone'],
  text: Partial<TemplateProps<'order-update'>> = {},
): TemplatedMail => ({
  to,
  template: 'order-update',
  props: {
    milestone,
    orderRef: '1234abcd',
    link: orderLink,
    ...support,
    amount: null,
    trackingNumber: null,
    carrier: null,
    estimatedDelivery: null,
    ...text,
  },
})

/** The link that turns off mails of a kind. No other mail has a second link. */
const stopLink = 'https://shop.example/refill-reminders/stop?token=b'

const mails: { mail: TemplatedMail; subject: string; pattern: RegExp; target: string }[] = [
  {
    mail: { to, template: 'confirm-email', props: { link } },
    subject: 'Confirm your email address',
    pattern: /that this address is yours/,
    target: link,
  },
  {
    mail: { to, template: 'reset-password', props: { link, minutes: 60 } },
    subject: 'Reset your password',
    pattern: /works once, within 1 hour\. If you didn’t ask for it/,
    target: link,
  },
  {
    mail: { to, template: 'password-changed', props: support },
    subject: 'Your password was changed',
    pattern: /If this wasn’t you, email support@shop\.example/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'change-email', props: { link, minutes: 1440 } },
    subject: 'Confirm your new email address',
    pattern: /works once, within 24 hours/,
    target: link,
  },
  {
    mail: { to, template: 'email-changed', props: support },
    subject: 'Your email address was changed',
    pattern: /no longer send email to this address/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'second-factor-changed', props: { isOn: true, ...support } },
    subject: 'Two-step sign-in was turned on',
    pattern: /need a code in addition to your password/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'second-factor-changed', props: { isOn: false, ...support } },
    subject: 'Two-step sign-in was turned off',
    pattern: /only your password/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'second-factor-reset', props: support },
    subject: 'Your two-step sign-in was reset',
    pattern: /signed out of every browser[^]*with your password[^]*email support@shop\.example right away/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'prescription-decided', props: { link, status: 'approved' } },
    subject: 'Your prescription was reviewed',
    pattern: /has approved/,
    target: link,
  },
  {
    mail: { to, template: 'prescription-decided', props: { link, status: 'rejected' } },
    subject: 'Your prescription was reviewed',
    pattern: /couldn’t approve/,
    target: link,
  },
  {
    mail: { to, template: 'prescription-decided', props: { link, status: 'expired' } },
    subject: 'Your prescription has expired',
    pattern: /has expired/,
    target: link,
  },
  {
    mail: { to, template: 'account-suspended', props: support },
    subject: 'Your account was suspended',
    pattern: /until we restore your account[^]*orders you have already placed[^]*email support@shop\.example/,
    target: 'mailto:support@shop.example',
  },
  {
    mail: { to, template: 'account-deleted', props: support },
    subject: 'Your account was deleted',
    pattern: /hadn’t shipped were cancelled\.[^]*If this wasn’t you, email support@shop\.example/,
    target: 'mailto:support@shop.example',
  },
  ...(
    [
      ['cancelled', '$21.66', /We’ll refund \$21\.66 to the card[^]*5 to 10 business days/],
      ['cancelled', null, /Your order was cancelled\.\s*Your account was deleted/],
      ['cancelled-in-capture', null, /we’ll refund it in full\./],
      ['voided', null, /Your card was not charged\.[^]*pending amount/],
    ] as const
  ).map(([milestone, amount, pattern]) => ({
    mail: order(milestone, { amount, isLast: true }),
    subject: 'Your order was cancelled',
    pattern: new RegExp(`${pattern.source}[^]*our last email about this order\\.[^]*Order 1234abcd`),
    target: 'mailto:support@shop.example',
  })),
  {
    mail: { to, template: 'account-restored', props: { link } },
    subject: 'Your account was restored',
    pattern: /You can sign in to your account again/,
    target: link,
  },
  {
    mail: { to, template: 'prescription-question', props: { link } },
    subject: 'A question about your prescription',
    pattern: /has a question\. Answer it in My Prescriptions so/,
    target: link,
  },
  {
    mail: { to, template: 'pharmacy-message', props: { about: 'order', kind: 'question', link } },
    subject: 'A question about your order',
    pattern: /A pharmacist has a question about your order\. Answer it in your account/,
    target: link,
  },
  {
    mail: { to, template: 'pharmacy-message', props: { about: 'prescription', kind: 'answer', link } },
    subject: 'A reply about your prescription',
    pattern: /Read the reply in your account\./,
    target: link,
  },
  {
    mail: { to, template: 'refill-reminder', props: { link, stopLink } },
    subject: 'It’s time for a refill',
    pattern: /You can order a refill now\.[^]*Turn them off/,
    target: link,
  },
  {
    mail: {
      to,
      template: 'recall-notice',
      props: { orderRefs: ['1234abcd'], link: orderLink, ...support },
    },
    subject: 'Recall of an item we sent you',
    pattern: /your order 1234abcd[^]*Sign in to see which item[^]*Keep the package/,
    target: orderLink,
  },
  {
    mail: order('received'),
    subject: 'We received your order',
    pattern:
      /your order and your payment\.[^]*within 1 to 2 business days[^]*you can cancel it[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('processing'),
    subject: 'Your order is being processed',
    pattern: /preparing your order[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('shipped', { trackingNumber: '1Z999', carrier: 'UPS', estimatedDelivery: '2026-02-01' }),
    subject: 'Your order has shipped',
    pattern: /Shipped with UPS\. Tracking number: 1Z999\.[^]*by February 1, 2026\.[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('shipped'),
    subject: 'Your order has shipped',
    pattern: /has left the pharmacy\.[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('delivered'),
    subject: 'Your order was delivered',
    pattern: /email support@shop\.example within 48 hours[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('cancelled', { amount: '$21.66' }),
    subject: 'Your order was cancelled',
    pattern: /We’ll refund \$21\.66 to the card[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('cancelled'),
    subject: 'Your order was cancelled',
    pattern: /was cancelled\.[^]*email support@shop\.example[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('refunded', { amount: '$21.66' }),
    subject: 'Your payment was refunded',
    pattern: /We refunded \$21\.66 to the card[^]*5 to 10 business days[^]*Order 1234abcd/,
    target: orderLink,
  },
  {
    mail: order('refunded', {
      amount: '$5.00',
      orderRef: null,
      link: 'https://shop.example/order-history',
    }),
    subject: 'Your payment was refunded',
    pattern: /No order was placed with this payment, so nothing will ship\./,
    target: 'https://shop.example/order-history',
  },
]

const escaped = (text: string): string => text.replaceAll('&', '&amp;')
const times = (text: string, part: string): number => text.split(part).length - 1

test.each(mails)(
  'the mail $mail.template has the same text as HTML, and one link',
  async ({ mail, subject, pattern, target }) => {
    const { html, ...rendered } = await renderMail(mail)
    expect(rendered).toMatchObject({ to, subject })
    expect(rendered.text).toMatch(pattern)
    expect(html?.replace(/<[^>]+>/g, '')).toMatch(pattern)
    expect(html).toContain(`<h1`)
    const links = [target, ...('stopLink' in mail.props ? [stopLink] : [])]
    expect(html?.match(/href="[^"]*"/g)).toEqual(links.map((url) => `href="${escaped(url)}"`))
    // The URL is on its own line, so every mail client links it.
    if (target.startsWith('https:'))
      expect(rendered.text.split('\n').filter((line) => line.includes(target))).toEqual([target])
    expect(times(rendered.text, target.replace('mailto:', ''))).toBe(1)
  },
)

test('the mail about a shipped package also links to the page of a known carrier', async () => {
  const shipment = { trackingNumber: '1Z999AA10123456784', carrier: 'UPS' }
  const url = 'https://www.ups.com/track?tracknum=1Z999AA10123456784'
  const { html, text } = await renderMail(order('shipped', shipment))
  expect(html?.match(/href="[^"]*"/g)).toEqual([`href="${url}"`, `href="${orderLink}"`])
  expect(text).toContain(`Track your package ${url}`)
  const delivered = await renderMail(order('delivered', shipment))
  expect(delivered.html).not.toContain('ups.com')
})

test.each(mails)('the mail $mail.template loads nothing when opened', async ({ mail }) => {
  const { html } = await renderMail(mail)
  expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio|source|svg)\b/i)
  expect(html).not.toMatch(/url\(|@import|\bsrc=|background=/i)
})

test('a template escapes its props', async () => {
  const hostile = 'https://shop.example/?a="><script>alert(1)</script>'
  const { html, text } = await renderMail({ to, template: 'confirm-email', props: { link: hostile } })
  expect(html).not.toContain('<script')
  expect(html).toContain('&quot;&gt;&lt;script&gt;')
  expect(text).toContain('<script>alert(1)</script>')
})

test('the outbox stores a mail’s template and props; an older plain mail still opens', () => {
  const mail: TemplatedMail = { to, template: 'reset-password', props: { link, minutes: 60 } }
  const sealed = sealMail(testKeys, 'row', mail)
  expect(sealed).not.toMatch(/reset|shop\.example/)
  expect(unsealMail(testKeys, 'row', sealed)).toEqual(mail)
  const plain = { to, subject: 'Hello', text: 'From before.' }
  expect(unsealMail(testKeys, 'row', sealMail(testKeys, 'row', plain))).toEqual(plain)
  // A row with a template from a newer version is rejected, not partly sent.
  const unknown = { ...mail, template: 'no-such' } as unknown as TemplatedMail
  expect(() => unsealMail(testKeys, 'row', sealMail(testKeys, 'row', unknown))).toThrow(/subject/)
})

test('SMTP sends one mail in two parts, plain text first', async () => {
  const server = await startSmtpServer()
  const mailer = openSmtp(server.url, 'Meridian <no-reply@shop.example>')
  onTestFinished(async () => {
    mailer.close()
    await server.close()
  })
  const mail = await renderMail({ to, template: 'confirm-email', props: { link } })
  const delivery = await mailer.send({ ...mail, id: 'a', date: testDay }, new AbortController().signal)
  expect(delivery).toEqual({ outcome: 'sent' })
  const [arrived] = server.received
  expect(arrived?.header.get('content-type')).toMatch(/^multipart\/alternative;/)
  const parts = arrived?.raw.match(/^Content-Type: text\/\w+/gm)
  expect(parts).toEqual(['Content-Type: text/plain', 'Content-Type: text/html'])
})
