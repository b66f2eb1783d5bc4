import { NotYouNotice, Paragraph, type Template } from './mail-frame.tsx'

export const secondFactorChanged: Template<'second-factor-changed'> = {
  subject: ({ isOn }) => `Two-step sign-in was turned ${isOn ? 'on' : 'off'}`,
  body: ({ isOn, supportEmail }) => (
    <>
      <Paragraph>
        {isOn
          ? 'From now on your account asks for a code besides your password when you sign in. Keep your recovery codes where you find them without your phone.'
          : 'Your account no longer asks for a code when you sign in: your password alone opens it.'}{' '}
        If this was you, there is nothing to do.
      </Paragraph>
      <NotYouNotice supportEmail={supportEmail} />
    </>
  ),
}
