import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const secondFactorChanged: Template<'second-factor-changed'> = {
  subject: ({ isOn }) => `Two-step sign-in was turned ${isOn ? 'on' : 'off'}`,
  body: ({ isOn, supportEmail }) => (
    <>
      <Paragraph>
        {isOn
          ? 'You’ll now need a code in addition to your password to sign in. Keep your recovery codes where you can find them without your phone.'
          : 'You no longer need a code to sign in, only your password.'}{' '}
        If this was you, you don’t need to do anything.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
