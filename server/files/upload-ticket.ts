import { insertTicket, markTicketUsed } from '#db/files/upload-tickets.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { timingSafeEqual } from 'node:crypto'
import { notFoundForUser } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { keyedHash } from '../crypto/tokens.ts'
import { consumeRate } from '../limit-rate.ts'

/** Contract, "Files". */
export const ticketSeconds = 10 * 60

/** A ticket as its URL carries it; `expires` is in seconds since 1970. */
export type SignedTicket = { id: string; expires: number; signature: string }

const sign = (
  ctx: Pick<Context, 'keys'>,
  { id, expires }: Omit<SignedTicket, 'signature'>,
  user: SessionUser,
): string => keyedHash(ctx.keys, ['upload', id, String(expires), user.id, user.sessionId])

/** Compares in constant time. Two texts of equal length can still differ in bytes. */
function constantTimeEqual(a: string, b: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(a), Buffer.from(b)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

/**
 * Allows this session to upload one file within ten minutes. The ticket's id becomes the file's, so
 * that the bytes of a failed upload can be found. Throws UNAUTHENTICATED and TOO_MANY.
 */
export async function issueTicket(ctx: Context): Promise<SignedTicket> {
  await consumeRate(ctx, 'upload', requireUser(ctx).id)
  return insertSignedTicket(ctx)
}

async function insertSignedTicket(ctx: Context): Promise<SignedTicket> {
  const user = requireUser(ctx)
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
 * Consumes a ticket. Throws UNAUTHENTICATED, NOT_FOUND when it is forged or another session's,
 * FORBIDDEN when it has expired, GONE when it was used.
 */
export async function consumeTicket(ctx: Context, { id, expires, signature }: SignedTicket): Promise<void> {
  const user = requireUser(ctx)
  if (!constantTimeEqual(signature, sign(ctx, { id, expires }, user))) throw notFoundForUser(ctx, id)
  if (ctx.now.getTime() >= expires * 1000) {
    throw new AppError('FORBIDDEN', 'This upload URL has expired. Request a new one.')
  }
  if (!(await markTicketUsed(ctx.db, { id, sessionId: user.sessionId, now: ctx.now }))) {
    throw new AppError('GONE', 'This upload URL was already used. Request a new one.')
  }
}

/**
 * Issues a ticket, consumes it and returns its id, for a file that needs no upload URL. Throws
 * UNAUTHENTICATED and TOO_MANY.
 */
export async function reserveUploadId(ctx: Context): Promise<string> {
  const ticket = await issueTicket(ctx)
  await consumeTicket(ctx, ticket)
  return ticket.id
}

/**
 * The same for a picture that the shop fetches from another site, which counts as no upload. Throws
 * UNAUTHENTICATED.
 */
export async function reserveFetchId(ctx: Context): Promise<string> {
  const ticket = await insertSignedTicket(ctx)
  await consumeTicket(ctx, ticket)
  return ticket.id
}
