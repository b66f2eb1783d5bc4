import { listKeptMails } from '#db/outbox.ts'
import type { Context } from '../context.ts'
import { unsealMail, type Mail } from './outbox-mail.ts'

/** A mail of the demo's outbox, opened. */
export type OutboxEntry = Mail & { id: string; createdAt: Date; state: 'kept' | 'sent' | 'failed' }

const shown = 100

/** The newest mails, opened. For the demo's page alone: in production nobody reads the outbox. */
export async function readOutbox(ctx: Pick<Context, 'db' | 'keys'>): Promise<OutboxEntry[]> {
  return (await listKeptMails(ctx.db, shown)).map(({ id, sealedMail, createdAt, sentAt, failedAt }) => ({
    ...unsealMail(ctx.keys, id, sealedMail),
    id,
    createdAt,
    state: sentAt ? 'sent' : failedAt ? 'failed' : 'kept',
  }))
}
