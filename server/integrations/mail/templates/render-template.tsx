import { render, toPlainText } from '@react-email/render'
import type { MailTemplate, TemplateProps, TemplatedMail } from '#server/integrations/mail/mail-message.ts'
import { accountDeleted } from './account-deleted.tsx'
import { accountRestored } from './account-restored.tsx'
import { accountSuspended } from './account-suspended.tsx'
import { changeEmail } from './change-email.tsx'
import { confirmEmail } from './confirm-email.tsx'
import { emailChanged } from './email-changed.tsx'
import { MailFrame, type Template } from './mail-frame.tsx'
import { orderUpdate } from './order-update.tsx'
import { passwordChanged } from './password-changed.tsx'
import { pharmacyMessage } from './pharmacy-message.tsx'
import { prescriptionDecided } from './prescription-decided.tsx'
import { prescriptionQuestion } from './prescription-question.tsx'
import { recallNotice } from './recall-notice.tsx'
import { refillReminder } from './refill-reminder.tsx'
import { resetPassword } from './reset-password.tsx'
import { secondFactorChanged } from './second-factor-changed.tsx'
import { secondFactorReset } from './second-factor-reset.tsx'

const templates: { [Name in MailTemplate]: Template<Name> } = {
  'confirm-email': confirmEmail,
  'reset-password': resetPassword,
  'password-changed': passwordChanged,
  'change-email': changeEmail,
  'email-changed': emailChanged,
  'second-factor-changed': secondFactorChanged,
  'second-factor-reset': secondFactorReset,
  'account-suspended': accountSuspended,
  'account-restored': accountRestored,
  'account-deleted': accountDeleted,
  'prescription-decided': prescriptionDecided,
  'prescription-question': prescriptionQuestion,
  'pharmacy-message': pharmacyMessage,
  'recall-notice': recallNotice,
  'refill-reminder': refillReminder,
  'order-update': orderUpdate,
}

/** Titles keep their case, and lines are not wrapped: the reader's window decides the width. */
const textOptions = { selectors: [{ selector: 'h1', options: { uppercase: false, leadingLineBreaks: 2 } }] }

function fillTemplate<Name extends MailTemplate>(name: Name, props: TemplateProps<Name>) {
  const { subject, body }: Template<Name> = templates[name]
  return { subject: subject(props), body: body(props) }
}

/** Renders a template: the subject, the HTML, and the same as plain text. */
export async function renderTemplate({
  template,
  props,
}: TemplatedMail): Promise<Record<'subject' | 'text' | 'html', string>> {
  const { subject, body } = fillTemplate(template, props)
  const html = await render(<MailFrame title={subject}>{body}</MailFrame>)
  return { subject, html, text: `${toPlainText(html, textOptions)}\n` }
}
