import { findLastMessageId } from '#db/messages/messages.ts'
import { AppError } from '#domain/errors.ts'
import { unseenMessage } from '#domain/messages/messages.ts'
import type { Context } from '../context.ts'

/** The customer has written after the last message that the pharmacist saw. */
export class UnseenMessageError extends AppError {
  constructor() {
    super('CONFLICT', unseenMessage)
  }
}

/**
 * Throws `UnseenMessageError` when the customer has written after this message. Otherwise a message
 * that no pharmacist has read would leave the list. The caller has locked the thread, which a
 * customer's message locks too.
 * @param seen.lastMessageId undefined for a page that does not post it: nothing is checked
 */
export async function requireSeen(
  ctx: Pick<Context, 'db'>,
  { subjectId, lastMessageId }: { subjectId: string; lastMessageId?: string | undefined },
): Promise<void> {
  if (lastMessageId === undefined) return
  const last = await findLastMessageId(ctx.db, { subjectId, sender: 'customer' })
  if (last !== null && last > lastMessageId) throw new UnseenMessageError()
}
