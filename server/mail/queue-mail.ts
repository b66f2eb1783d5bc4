import { insertMail } from '#db/mail/outbox.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { Mail } from '../integrations/mail/mail-message.ts'
import { sealMail } from './sealed-mail.ts'

/**
 * Adds a mail to the outbox. Called inside the transaction of the change that it reports: both are
 * stored or neither, and nothing is sent before the commit. Returns the mail's id.
 */
export async function queueMail(ctx: Pick<Context, 'db' | 'now' | 'keys'>, mail: Mail): Promise<string> {
  const id = newId(ctx.now.getTime())
  await insertMail(ctx.db, { id, sealedMail: sealMail(ctx.keys, id, mail), createdAt: ctx.now })
  return id
}
