import { findUserKey, insertUserKey } from '#db/crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { ringOf, type KeyRing } from './key-ring.ts'
import { bindings } from './bindings.ts'
import { seal, unseal } from './sealing.ts'

/**
 * Creates a user's key and stores it wrapped by the master key. Values it seals name the user's id
 * as their key.
 */
export async function createUserKey(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  userId: string,
): Promise<KeyRing> {
  const key = randomBytes(32)
  await insertUserKey(ctx.db, {
    userId,
    wrappedKey: seal(ctx.keys, bindings.userKey(userId), key.toString('base64url')),
    createdAt: ctx.now,
  })
  return ringOf(userId, key)
}

/** Unwraps a user's key into a ring that seals and opens. */
export const unwrapUserKey = (ctx: Pick<Context, 'keys'>, userId: string, wrappedKey: string): KeyRing =>
  ringOf(userId, Buffer.from(unseal(ctx.keys, bindings.userKey(userId), wrappedKey), 'base64url'))

/**
 * A user's key. Null when it was destroyed or never existed: then nothing of theirs opens. It is
 * not cached.
 */
export async function openUserKey(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<KeyRing | null> {
  const wrapped = await findUserKey(ctx.db, userId)
  return wrapped === null ? null : unwrapUserKey(ctx, userId, wrapped)
}
