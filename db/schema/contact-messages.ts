/** A message from the contact form. Sealed, because it may contain health data. */
export type ContactMessagesTable = {
  id: string
  /** A keyed hash of the form and its content, so that a form sent twice is one message. */
  submissionHash: string
  sealedName: string
  sealedEmail: string
  sealedMessage: string
  createdAt: Date
}
