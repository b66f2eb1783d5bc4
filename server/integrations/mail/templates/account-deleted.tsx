import { Paragraph, SupportLink, type Template } from './mail-frame.tsx'

export const accountDeleted: Template<'account-deleted'> = {
  subject: () => 'Your account was deleted',
  body: ({ supportEmail }) => (
    <>
      <Paragraph>
        Your Meridian account was deleted, and you’re signed out everywhere. Orders that hadn’t shipped were
        cancelled. This can’t be undone.
      </Paragraph>
      <Paragraph>
        If this wasn’t you, email <SupportLink supportEmail={supportEmail} />.
      </Paragraph>
    </>
  ),
}
