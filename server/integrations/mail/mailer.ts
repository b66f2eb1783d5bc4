import type { RenderedMail } from './render-mail.ts'

/** A mail to send. Its id and date stay the same over all attempts. */
export type OutgoingMail = RenderedMail & { id: string; date: Date }

/** The result of an attempt. `code` contains nothing of the mail, so it may be logged. */
export type Delivery = { outcome: 'sent' } | { outcome: 'rejected' | 'failed'; code: string }

/** The port to the mail server. */
export type Mailer = {
  /**
   * Makes one attempt. `refused` is permanent; `failed` may succeed later. Does not throw errors
   * that the server caused.
   * @param signal aborts the attempt
   */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery>
  close: () => void
}
