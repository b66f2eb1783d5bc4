import { Action, Aside, Paragraph, TextLink, type Template } from './mail-frame.tsx'

/** Names no medicine, because other people may read the mailbox. */
export const refillReminder: Template<'refill-reminder'> = {
  subject: () => 'It’s time for a refill',
  body: ({ link, stopLink }) => (
    <>
      <Paragraph>You can order a refill now. A pharmacist checks each order before it ships.</Paragraph>
      <Action href={link}>View my prescriptions</Action>
      <Aside>
        You turned on refill reminders. <TextLink href={stopLink}>Turn them off</TextLink>
      </Aside>
    </>
  ),
}
