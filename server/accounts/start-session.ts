import { insertSession } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../crypto/tokens.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal } from '../crypto/sealing.ts'
import { absoluteSeconds } from './session-rules.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** What a browser says of itself and where it came from; shown to its own user. */
export type Device = { userAgent: string | null; address: string }

/**
 * Signs a browser in. Always a new token: one that somebody knew before signs in nobody (OWASP ASVS 5.0, 7.2.4).
 * Returns the token for the cookie. Throws NOT_FOUND when the user is gone.
 */
export async function startSession(
  ctx: Context,
  { userId, userAgent }: { userId: string; userAgent: string | null },
): Promise<string> {
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('NOT_FOUND', 'This account is gone.')
  const id = newId(ctx.now.getTime())
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
  })
  return token
}
