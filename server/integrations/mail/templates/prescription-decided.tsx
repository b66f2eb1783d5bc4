import type { TemplateProps } from '#server/integrations/mail/mail-message.ts'
import { Action, Paragraph, type Template } from './mail-frame.tsx'

const messages: Record<TemplateProps<'prescription-decided'>['status'], { subject: string; text: string }> = {
  approved: {
    subject: 'Your prescription was reviewed',
    text: 'A pharmacy has approved the prescription you uploaded. You can use it at checkout.',
  },
  rejected: {
    subject: 'Your prescription was reviewed',
    text: 'A pharmacy couldn’t approve the prescription you uploaded. Open My Prescriptions to see why and what to do next.',
  },
  expired: {
    subject: 'Your prescription has expired',
    text: 'A prescription you uploaded has expired. Upload a new one before you order with it again.',
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
