import type { Generated } from 'kysely'

/** Mail to send, written in the transaction of what it tells about. */
export type OutboxTable = {
  id: string
  /** Recipient, subject and text as sealed JSON; null once a production shop has sent it. */
  sealedMail: string | null
  /** How often it was taken to be sent. */
  attempts: Generated<number>
  /** When it may be taken: at first its making, then the end of the taker's lease or of the pause before another try. */
  dueAt: Date
  createdAt: Date
  sentAt: Date | null
  /** When it was given up. */
  failedAt: Date | null
}
