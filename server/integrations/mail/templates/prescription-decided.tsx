import type { TemplateProps } from '#server/integrations/mail/mail-message.ts'
import { Action, Paragraph, type Template } from './mail-frame.tsx'

const messages: Record<TemplateProps<'prescription-decided'>['status'], { subject: string; text: string }> = {
  approved: {
    subject: 'Your prescription was reviewed',
    text: 'A pharmacy has approved the prescription that you uploaded. You can use it at checkout.',
  },
  rejected: {
    subject: 'Your prescription was reviewed',
    text: 'A pharmacy could not approve the prescription that you uploaded. The page says why, and what you can do.',
  },
  expired: {
    subject: 'Your prescription has expired',
    text: 'A prescription that you uploaded has expired. Upload a new one before you order with it again.',
  },
}

export const prescriptionDecided: Template<'prescription-decided'> = {
  subject: ({ status }) => messages[status].subject,
  body: ({ link, status }) => (
    <>
      <Paragraph>{messages[status].text}</Paragraph>
      <Action href={link}>My Prescriptions</Action>
    </>
  ),
}
