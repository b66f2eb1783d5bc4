import { findUserKey, insertUserKey } from '#db/crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { KeyRing } from './key-ring.ts'
import { bindings } from './bindings.ts'
import { seal, unseal } from './sealing.ts'

const ringOf = (userId: string, key: Buffer): KeyRing => ({ current: userId, keys: new Map([[userId, key]]) })

/** Makes a user's key and stores it wrapped by the master key. What it seals names the user as its key. */
export async function makeUserKey(
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

/** A wrapped key as a ring to seal and open with. */
export const unwrapUserKey = (ctx: Pick<Context, 'keys'>, userId: string, wrappedKey: string): KeyRing =>
  ringOf(userId, Buffer.from(unseal(ctx.keys, bindings.userKey(userId), wrappedKey), 'base64url'))

/** A user's key, or null when it was destroyed or never was: then nothing of theirs opens. Kept nowhere. */
export async function openUserKey(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<KeyRing | null> {
  const wrapped = await findUserKey(ctx.db, userId)
  return wrapped === null ? null : unwrapUserKey(ctx, userId, wrapped)
}
