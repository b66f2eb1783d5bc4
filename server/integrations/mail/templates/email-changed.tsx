import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const emailChanged: Template<'email-changed'> = {
  subject: () => 'Your email address was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your account now uses a different email address. Sign in with the new one; we’ll no longer send email
        to this address. If this was you, you don’t need to do anything.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
