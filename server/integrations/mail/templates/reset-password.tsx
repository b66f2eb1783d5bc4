import { Action, Aside, formatMinutes, Paragraph, type Template } from './mail-frame.tsx'

export const resetPassword: Template<'reset-password'> = {
  subject: () => 'Reset your password',
  body: ({ link, minutes }) => (
    <>
      <Paragraph>We received a request to reset your account’s password.</Paragraph>
      <Action href={link}>Choose a new password</Action>
      <Aside>
        The link works once, within {formatMinutes(minutes)}. If you didn’t ask for it, you can ignore this
        email; your password won’t change.
      </Aside>
    </>
  ),
}
