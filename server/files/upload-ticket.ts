import { insertTicket, spendTicket as markSpent } from '#db/files/upload-tickets.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { timingSafeEqual } from 'node:crypto'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { keyedHash } from '../crypto/tokens.ts'
import { limitRate } from '../limit-rate.ts'

/** Contract, "Files". */
export const ticketSeconds = 10 * 60

/** A ticket as its address carries it; `expires` is in seconds since 1970. */
export type SignedTicket = { id: string; expires: number; signature: string }

const sign = (
  ctx: Pick<Context, 'keys'>,
  { id, expires }: Omit<SignedTicket, 'signature'>,
  user: SessionUser,
): string => keyedHash(ctx.keys, ['upload', id, String(expires), user.id, user.sessionId])

/** Told apart in a time that says nothing; of two texts of one length, one may still be longer in bytes. */
function equal(a: string, b: string): boolean {
  const [bytes, others] = [Buffer.from(a), Buffer.from(b)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

/**
 * Leave for this session to upload one file within ten minutes. The ticket's id becomes the file's, so that bytes of an upload
 * that broke off after they were stored are found. Throws UNAUTHENTICATED and TOO_MANY.
 */
export async function issueTicket(ctx: Context): Promise<SignedTicket> {
  const user = requireUser(ctx)
  await limitRate(ctx, 'upload', user.id)
  const id = newId(ctx.now.getTime())
  const expires = Math.floor(ctx.now.getTime() / 1000) + ticketSeconds
  await insertTicket(ctx.db, {
    id,
    userId: user.id,
    sessionId: user.sessionId,
    createdAt: ctx.now,
    expiresAt: new Date(expires * 1000),
    usedAt: null,
  })
  return { id, expires, signature: sign(ctx, { id, expires }, user) }
}

/**
 * Uses a ticket up. Throws UNAUTHENTICATED, NOT_FOUND when it is not this session's or was made up, FORBIDDEN when it has
 * lapsed, GONE when it was used.
 */
export async function spendTicket(ctx: Context, { id, expires, signature }: SignedTicket): Promise<void> {
  const user = requireUser(ctx)
  if (!equal(signature, sign(ctx, { id, expires }, user))) throw new AppError('NOT_FOUND')
  if (ctx.now.getTime() >= expires * 1000) {
    throw new AppError('FORBIDDEN', 'This upload address has expired. Please ask for another.')
  }
  if (!(await markSpent(ctx.db, { id, sessionId: user.sessionId, now: ctx.now }))) {
    throw new AppError('GONE', 'This upload address was used. Please ask for another.')
  }
}

/** The id of a ticket that is used up as it is given: for a file that comes by itself. Throws UNAUTHENTICATED and TOO_MANY. */
export async function takeTicket(ctx: Context): Promise<string> {
  const ticket = await issueTicket(ctx)
  await spendTicket(ctx, ticket)
  return ticket.id
}
