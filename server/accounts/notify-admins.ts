import { listActiveAdminIds } from '#db/accounts/users.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { findEmail } from './find-email.ts'

/**
 * Queues a plain mail to every admin who can sign in, in the caller's transaction. Returns how many
 * there are.
 */
export async function notifyAdmins(ctx: Context, mail: { subject: string; text: string }): Promise<number> {
  const ids = await listActiveAdminIds(ctx.db)
  for (const id of ids) {
    const address = await findEmail(ctx, id)
    if (address !== null) await queueMail(ctx, { to: { address }, ...mail })
  }
  return ids.length
}
