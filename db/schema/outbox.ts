import type { Generated } from 'kysely'

/** An email to send, written in the transaction of the change that it reports. */
export type OutboxTable = {
  id: string
  /** Recipient, subject and text as sealed JSON. Null once a production shop has sent it. */
  sealedMail: string | null
  /** How often the job tried to send it. */
  attempts: Generated<number>
  /** When the job may send it: on creation, then when a lease or a pause ends. */
  dueAt: Date
  createdAt: Date
  sentAt: Date | null
  /** When the job stopped retrying. */
  failedAt: Date | null
}
