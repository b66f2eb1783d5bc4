import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const emailChanged: Template<'email-changed'> = {
  subject: () => 'Your email address was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your account has another email address from now on: you sign in with that one, and mail no longer
        comes here. If this was you, there is nothing to do.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
