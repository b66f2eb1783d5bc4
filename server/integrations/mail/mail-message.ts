import { z } from 'zod'

const mailboxSchema = z.object({ name: z.string().optional(), address: z.string() })

const plainSchema = z.object({
  to: mailboxSchema,
  replyTo: mailboxSchema.optional(),
  subject: z.string(),
  text: z.string(),
})

const link = z.url({ protocol: /^https?$/ })
const minutes = z.number().int().positive()
const supportEmail = z.string()

const templated = <Name extends string, Props extends z.ZodType>(template: Name, props: Props) =>
  z.object({ to: mailboxSchema, template: z.literal(template), props })

const templatedSchema = z.discriminatedUnion('template', [
  templated('confirm-email', z.object({ link })),
  templated('reset-password', z.object({ link, minutes })),
  templated('password-changed', z.object({ supportEmail })),
  // To the new address; the old one gets `email-changed`.
  templated('change-email', z.object({ link, minutes })),
  templated('email-changed', z.object({ supportEmail })),
  templated('second-factor-changed', z.object({ isOn: z.boolean(), supportEmail })),
  // Without the reason, like the next one: other people may read the mailbox.
  templated('second-factor-reset', z.object({ supportEmail })),
  templated('account-suspended', z.object({ supportEmail })),
  templated('account-restored', z.object({ link })),
  templated('account-deleted', z.object({ supportEmail })),
  // Without the medicine, the doctor and the reason: other people may read the mailbox.
  templated('prescription-decided', z.object({ link, status: z.enum(['approved', 'rejected', 'expired']) })),
  // The question itself is only on the page.
  templated('prescription-question', z.object({ link })),
  // The message itself is only on the page.
  templated(
    'pharmacy-message',
    z.object({ about: z.enum(['order', 'prescription']), kind: z.enum(['question', 'answer']), link }),
  ),
  // Without the medicine.
  templated('refill-reminder', z.object({ link, stopLink: link })),
  // With the order numbers; the medicine and the recall are only on their pages.
  templated('recall-notice', z.object({ orderRefs: z.array(z.string()), link, supportEmail })),
  // With the order number, without any medicine.
  templated(
    'order-update',
    z.object({
      milestone: z.enum([
        'received',
        // Received, and charged only once a pharmacist has checked it.
        'authorized',
        'charged',
        // Lines were refused, or not decided before the authorization lapses.
        'reduced',
        'reduced-late',
        'processing',
        'shipped',
        'delivered',
        'cancelled',
        'cancelled-in-capture',
        // Cancelled without a charge, by someone or because the authorization lapsed.
        'voided',
        'lapsed',
        'refunded',
      ]),
      /** The short order number. */
      orderRef: z.string().nullable(),
      link,
      supportEmail,
      /** "$12.50" when there is a refund or a charge. */
      amount: z.string().nullable(),
      trackingNumber: z.string().nullable(),
      carrier: z.string().nullable(),
      estimatedDelivery: z.string().nullable(),
      /** The account is deleted: no email follows, and the order has no page. */
      isLast: z.boolean().optional(),
    }),
  ),
])

export const mailSchema = z.union([templatedSchema, plainSchema])

/** A plain-text mail. */
export type PlainMail = z.infer<typeof plainSchema>
/** A mail with a template (server/integrations/mail/templates) and its props. */
export type TemplatedMail = z.infer<typeof templatedSchema>
/** A mail to one recipient, as use cases queue it. */
export type Mail = PlainMail | TemplatedMail
export type MailTemplate = TemplatedMail['template']
export type TemplateProps<Name extends MailTemplate> = Extract<TemplatedMail, { template: Name }>['props']
