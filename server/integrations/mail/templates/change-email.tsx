import { Action, Aside, formatMinutes, Paragraph, type Template } from './mail-frame.tsx'

export const changeEmail: Template<'change-email'> = {
  subject: () => 'Confirm your new email address',
  body: ({ link, minutes }) => (
    <>
      <Paragraph>
        You asked to use this address for your account from now on. It changes once you confirm that the
        address is yours.
      </Paragraph>
      <Action href={link}>Confirm new email address</Action>
      <Aside>
        The link works once, within {formatMinutes(minutes)}, in a browser where you are signed in. If you did not
        ask, there is nothing to do.
      </Aside>
    </>
  ),
}
