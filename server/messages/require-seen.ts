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
 * Throws `UnseenMessageError` when the customer has written after this message. Else a message that
 * no pharmacist has read would leave the list. The caller has locked the thread, which a customer's
 * message locks too.
 */
export async function requireSeen(
  ctx: Pick<Context, 'db'>,
  { subjectId, lastMessageId }: { subjectId: string; lastMessageId: string },
): Promise<void> {
  const last = await findLastMessageId(ctx.db, { subjectId, sender: 'customer' })
  if (last !== null && last > lastMessageId) throw new UnseenMessageError()
}
