import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const passwordChanged: Template<'password-changed'> = {
  subject: () => 'Your password was changed',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your account’s password was just changed, and all other browsers were signed out. If this was you, you
        don’t need to do anything.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
