import { insertSession } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../crypto/tokens.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal } from '../crypto/sealing.ts'
import { absoluteSeconds } from './session-rules.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** A browser's User-Agent and IP address; shown to its own user only. */
export type Device = { userAgent: string | null; address: string }

/**
 * Starts a session with a new token: a token known before the sign-in is never reused (OWASP ASVS
 * 5.0, 7.2.4). Returns the token for the cookie. Throws NOT_FOUND when the account was deleted.
 * @param hasGivenFactor whether the sign-in required a code of the second factor
 */
export async function startSession(
  ctx: Context,
  {
    userId,
    userAgent,
    hasGivenFactor = false,
    id = newId(ctx.now.getTime()),
  }: { userId: string; userAgent: string | null; hasGivenFactor?: boolean; id?: string },
): Promise<string> {
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('NOT_FOUND', 'This account no longer exists.')
  const token = newToken()
  const device: Device = { userAgent: userAgent?.slice(0, 300) ?? null, address: ctx.clientAddress }
  await insertSession(ctx.db, {
    id,
    tokenHash: hashToken(token),
    userId,
    sealedDevice: seal(key, bindings.sessionDevice(id), JSON.stringify(device)),
    createdAt: ctx.now,
    lastSeenAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + absoluteSeconds * 1000),
    factorVerifiedAt: hasGivenFactor ? ctx.now : null,
  })
  return token
}
