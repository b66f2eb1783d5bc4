/** A customer who wants an email when a refill opens. */
export type RefillRemindersTable = {
  userId: string
  /** The hash of the token in the emails' link that turns them off. */
  tokenHash: string
  createdAt: Date
  /** When a process last looked for refills of this customer. */
  checkedAt: Date
}

/** A refill for which a reminder was sent. */
export type SentRemindersTable = {
  /** The fill that the refill follows. */
  fillId: string
  sentAt: Date
}
