import { insertMail } from '#db/mail/outbox.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { Mail } from '../integrations/mail/mail-message.ts'
import { sealMail } from './sealed-mail.ts'

/**
 * Adds a mail to the outbox. Called inside the transaction of the change that it reports: both are
 * stored or neither, and nothing is sent before the commit. Returns the mail's id. Adds none while
 * demo data is generated.
 */
export async function queueMail(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'suppressesMail'>,
  mail: Mail,
): Promise<string> {
  const id = newId(ctx.now.getTime())
  if (!ctx.suppressesMail)
    await insertMail(ctx.db, { id, sealedMail: sealMail(ctx.keys, id, mail), createdAt: ctx.now })
  return id
}
