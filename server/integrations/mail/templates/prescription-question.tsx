import { Action, Paragraph, type Template } from './mail-frame.tsx'

/** Says that something is asked, and not what: a mailbox is read by others, too. */
export const prescriptionQuestion: Template<'prescription-question'> = {
  subject: () => 'A question about your prescription',
  body: ({ link }) => (
    <>
      <Paragraph>
        The pharmacy that reviews the prescription you uploaded has a question. You can read and answer it on
        the page; the review goes on then.
      </Paragraph>
      <Action href={link}>My Prescriptions</Action>
    </>
  ),
}
