import { Action, Paragraph, type Template } from './mail-frame.tsx'

/** Does not contain the question itself, because other people may read the mailbox. */
export const prescriptionQuestion: Template<'prescription-question'> = {
  subject: () => 'A question about your prescription',
  body: ({ link }) => (
    <>
      <Paragraph>
        The pharmacy reviewing the prescription you uploaded has a question. Answer it in My Prescriptions so
        the review can continue.
      </Paragraph>
      <Action href={link}>My Prescriptions</Action>
    </>
  ),
}
