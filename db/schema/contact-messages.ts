/** What somebody wrote through the contact form. Sealed: it may say something about health. */
export type ContactMessagesTable = {
  id: string
  /** A keyed hash of the form and of what was written in it: the same form sent twice is one message. */
  submissionHash: string
  sealedName: string
  sealedEmail: string
  sealedMessage: string
  createdAt: Date
}
