import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const passwordChanged: Template<'password-changed'> = {
  subject: () => 'Your password was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your account’s password was just changed, and all other browsers were signed out. If this was you,
        there’s nothing to do.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
