import { insertMail } from '#db/mail/outbox.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { Mail } from '../integrations/mail/mail-message.ts'
import { sealMail } from './sealed-mail.ts'

/**
 * Puts a mail into the outbox. Called inside the transaction of what the mail tells about: both are stored or neither, and
 * nothing is sent before it is so. Returns the mail's id.
 */
export async function queueMail(ctx: Pick<Context, 'db' | 'now' | 'keys'>, mail: Mail): Promise<string> {
  const id = newId(ctx.now.getTime())
  await insertMail(ctx.db, { id, sealedMail: sealMail(ctx.keys, id, mail), createdAt: ctx.now })
  return id
}
