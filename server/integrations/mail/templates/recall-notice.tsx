import { Action, Aside, Paragraph, type Template } from './mail-frame.tsx'

/** Names no medicine, because other people may read the mailbox. */
export const recallNotice: Template<'recall-notice'> = {
  subject: () => 'Recall of an item we sent you',
  body: ({ orderRefs, link, supportEmail }) => (
    <>
      <Paragraph>
        A recall may affect an item in your {orderRefs.length === 1 ? 'order' : 'orders'}{' '}
        {orderRefs.join(', ')}. Sign in to see which item it is and what to do.
      </Paragraph>
      <Action href={link}>{orderRefs.length === 1 ? 'View order' : 'View orders'}</Action>
      <Aside>Keep the package until you’ve read the notice. Questions? Email {supportEmail}.</Aside>
    </>
  ),
}
