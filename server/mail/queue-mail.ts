import { insertMail } from '#db/mail/outbox.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { Mail } from '../integrations/mail/mail-message.ts'
import { sealMail } from './sealed-mail.ts'

/**
 * Adds a mail to the outbox. Called inside the transaction of the change that it reports: both are
 * stored or neither, and nothing is sent before the commit. Returns the mail's id. Adds none while
 * demo data is generated.
 * @param id for a change that may withdraw the mail later
 * @param dueAt when it may leave: at once by default
 */
export async function queueMail(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'suppressesMail'>,
  mail: Mail,
  { id = newId(ctx.now.getTime()), dueAt = ctx.now }: { id?: string; dueAt?: Date } = {},
): Promise<string> {
  if (!ctx.suppressesMail)
    await insertMail(ctx.db, { id, sealedMail: sealMail(ctx.keys, id, mail), createdAt: ctx.now, dueAt })
  return id
}
