import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const emailChanged: Template<'email-changed'> = {
  subject: () => 'Your email address was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your account now has another email address. Sign in with that one; we’ll no longer send email to this
        address. If this was you, there’s nothing to do.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
