import { Action, Aside, formatMinutes, Paragraph, type Template } from './mail-frame.tsx'

export const changeEmail: Template<'change-email'> = {
  subject: () => 'Confirm your new email address',
  body: ({ link, minutes }) => (
    <>
      <Paragraph>
        You asked to change your account’s email address to this one. Confirm that the address is yours to
        make the change.
      </Paragraph>
      <Action href={link}>Confirm new email address</Action>
      <Aside>
        The link works once, within {formatMinutes(minutes)}, in a browser where you’re signed in. If you
        didn’t ask for this change, you can ignore this email.
      </Aside>
    </>
  ),
}
