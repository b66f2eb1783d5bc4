import { Paragraph, SupportLink, type Template } from './mail-frame.tsx'

export const secondFactorReset: Template<'second-factor-reset'> = {
  subject: () => 'Your two-step sign-in was reset',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        An admin removed your two-step sign-in, and you’re signed out of every browser. Your authenticator app
        and your recovery codes no longer work here.
      </Paragraph>
      <Paragraph>Sign in with your password, then set up two-step sign-in on your new phone.</Paragraph>
      <Paragraph>
        If you didn’t ask for this, email <SupportLink supportEmail={supportEmail} /> right away: someone else
        may be trying to get into your account.
      </Paragraph>
    </>
  ),
}
