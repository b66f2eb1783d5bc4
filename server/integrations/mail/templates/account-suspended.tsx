import { Paragraph, SupportLink, type Template } from './mail-frame.tsx'

export const accountSuspended: Template<'account-suspended'> = {
  subject: () => 'Your account was suspended',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        You’re signed out and can’t sign in until we restore your account. We’ll still process and ship the
        orders you have already placed.
      </Paragraph>
      <Paragraph>
        If you think this is a mistake, email <SupportLink supportEmail={supportEmail} />.
      </Paragraph>
    </>
  ),
}
