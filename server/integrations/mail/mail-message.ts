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
  // To the new address; the old one is told by `email-changed`.
  templated('change-email', z.object({ link, minutes })),
  templated('email-changed', z.object({ supportEmail })),
  templated('second-factor-changed', z.object({ isOn: z.boolean(), supportEmail })),
  // Names neither medicine nor doctor nor reason: a mailbox is read by others, too.
  templated('prescription-decided', z.object({ link, status: z.enum(['approved', 'rejected', 'expired']) })),
  // The question itself stands on the page alone.
  templated('prescription-question', z.object({ link })),
  // Names the order and no medicine.
  templated(
    'order-update',
    z.object({
      milestone: z.enum(['received', 'processing', 'shipped', 'delivered', 'cancelled', 'refunded']),
      /** The end of the order's id, as the customer's list shows it. */
      orderRef: z.string().nullable(),
      link,
      supportEmail,
      /** "$12.50", where money goes back. */
      amount: z.string().nullable(),
      trackingNumber: z.string().nullable(),
      carrier: z.string().nullable(),
      estimatedDelivery: z.string().nullable(),
    }),
  ),
])

export const mailSchema = z.union([templatedSchema, plainSchema])

/** A mail in plain text, as it is sent. */
export type PlainMail = z.infer<typeof plainSchema>
/** A mail by the name of its template (server/integrations/mail/templates) and what stands in it. */
export type TemplatedMail = z.infer<typeof templatedSchema>
/** A mail as use cases write it, to one person. */
export type Mail = PlainMail | TemplatedMail
export type MailTemplate = TemplatedMail['template']
export type TemplateProps<Name extends MailTemplate> = Extract<TemplatedMail, { template: Name }>['props']
