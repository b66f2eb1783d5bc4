import { Action, Paragraph, type Template } from './mail-frame.tsx'

export const accountRestored: Template<'account-restored'> = {
  subject: () => 'Your account was restored',
  body: ({ link }) => (
    <>
      <Paragraph>You can sign in to your account again.</Paragraph>
      <Action href={link}>Sign in</Action>
    </>
  ),
}
