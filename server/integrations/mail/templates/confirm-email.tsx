import { Action, Aside, Paragraph, type Template } from './mail-frame.tsx'

export const confirmEmail: Template<'confirm-email'> = {
  subject: () => 'Confirm your email address',
  body: ({ link }) => (
    <>
      <Paragraph>
        Confirm that this address is yours so we can email you about your orders and your account.
      </Paragraph>
      <Action href={link}>Confirm email address</Action>
      <Aside>If you don’t have a Meridian account, you can ignore this email.</Aside>
    </>
  ),
}
