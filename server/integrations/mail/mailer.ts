import type { RenderedMail } from './render-mail.ts'

/** A mail on its way: its id and date stay the same however often it is tried. */
export type OutgoingMail = RenderedMail & { id: string; date: Date }

/** What became of a try. `code` names a failure without a word of the mail, so that it may be logged. */
export type Delivery = { outcome: 'sent' } | { outcome: 'refused' | 'failed'; code: string }

/** The port to whatever sends mail. */
export type Mailer = {
  /**
   * Tries once. `refused` will never be taken, `failed` may be later. Throws nothing that the other side caused.
   * @param signal breaks the try off
   */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery>
  close: () => void
}
