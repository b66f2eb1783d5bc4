import { Action, Aside, Paragraph, type Template } from './mail-frame.tsx'

export const confirmEmail: Template<'confirm-email'> = {
  subject: () => 'Confirm your email address',
  body: ({ link }) => (
    <>
      <Paragraph>
        Please confirm that this address is yours, so that news about your orders and your account reach you.
      </Paragraph>
      <Action href={link}>Confirm email address</Action>
      <Aside>If you have no account with Meridian, somebody mistyped theirs: there is nothing to do.</Aside>
    </>
  ),
}
