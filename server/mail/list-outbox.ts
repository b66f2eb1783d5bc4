import { listStoredMails } from '#db/mail/outbox.ts'
import type { Context } from '../context.ts'
import { renderMail, type RenderedMail } from '../integrations/mail/render-mail.ts'
import { unsealMail } from './sealed-mail.ts'

/** A decrypted mail of the demo's outbox. */
export type OutboxEntry = RenderedMail & { id: string; createdAt: Date; state: 'stored' | 'sent' | 'failed' }

const maxMails = 100

/** The newest mails, decrypted. Only for the demo's outbox page; production has no such page. */
export async function listOutbox(ctx: Pick<Context, 'db' | 'keys'>): Promise<OutboxEntry[]> {
  const mails = await listStoredMails(ctx.db, maxMails)
  return Promise.all(
    mails.map(async ({ id, sealedMail, createdAt, sentAt, failedAt }) => ({
      ...(await renderMail(unsealMail(ctx.keys, id, sealedMail))),
      id,
      createdAt,
      state: sentAt ? 'sent' : failedAt ? 'failed' : 'stored',
    })),
  )
}
