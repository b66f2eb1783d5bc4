import { Action, Paragraph, type Template } from './mail-frame.tsx'

/** Does not contain the message itself, because other people may read the mailbox. */
export const pharmacyMessage: Template<'pharmacy-message'> = {
  subject: ({ about, kind }) =>
    kind === 'question' ? `A question about your ${about}` : `A reply about your ${about}`,
  body: ({ about, kind, link }) => (
    <>
      <Paragraph>
        {kind === 'question'
          ? `A pharmacist has a question about your ${about}. Answer it in your account so we can continue.`
          : `A pharmacist wrote to you about your ${about}. Read the reply in your account.`}
      </Paragraph>
      <Action href={link}>{about === 'order' ? 'View order' : 'My Prescriptions'}</Action>
    </>
  ),
}
