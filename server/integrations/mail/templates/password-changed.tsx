import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const passwordChanged: Template<'password-changed'> = {
  subject: () => 'Your password was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        The password of your account was changed just now, and every other browser was signed out. If this was
        you, there is nothing to do.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
