/**
 * A link that matches no reminders: they were turned off, or the mail program cut the link. The
 * shop can't know which.
 */
export const unknownLinkMessage =
  'Your reminders are already off, or the link is incomplete. My Prescriptions shows whether they’re on.'
