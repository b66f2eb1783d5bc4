import { Action, Aside, formatMinutes, Paragraph, type Template } from './mail-frame.tsx'

export const resetPassword: Template<'reset-password'> = {
  subject: () => 'Reset your password',
  body: ({ link, minutes }) => (
    <>
      <Paragraph>Somebody asked for a new password for your account. We hope it was you.</Paragraph>
      <Action href={link}>Choose a new password</Action>
      <Aside>
        The link works once, within {formatMinutes(minutes)}. If you did not ask, there is nothing to do: your
        password stays as it is.
      </Aside>
    </>
  ),
}
