import { findKnownDevice as findRow, saveKnownDevice } from '#db/accounts/known-devices.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../crypto/tokens.ts'

/**
 * A browser keeps a token for each of the last five accounts that signed in there. Failed attempts
 * with such a token count for that browser alone, so no stranger can lock its owner out.
 *
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export type DeviceTokens = readonly string[]

export const maxTokensPerBrowser = 5
export const knownDeviceSeconds = 180 * 24 * 3600

/** Each known device allows ten more guesses in 15 minutes, so their number is bounded. */
const maxDevicesPerUser = 10

export type KnownDevice = { tokenHash: string; hasGivenFactor: boolean }

/**
 * The device of a user that these tokens identify; null for a browser unknown to the account.
 * @param userId null for an unknown address, which takes the same work
 */
export const findKnownDevice = (
  ctx: Pick<Context, 'db' | 'now'>,
  userId: string | null,
  tokens: DeviceTokens,
): Promise<KnownDevice | null> =>
  findRow(ctx.db, { userId: userId ?? '', tokenHashes: tokens.map(hashToken), now: ctx.now })

/**
 * Makes this browser known to an account, with a new token: a token that was planted in the browser
 * stays useless. Returns the tokens for its cookie. Call it in the transaction that locked the
 * user's row.
 */
export async function rememberDevice(
  ctx: Pick<Context, 'db' | 'now'>,
  { userId, tokens, hasGivenFactor }: { userId: string; tokens: DeviceTokens; hasGivenFactor: boolean },
): Promise<string[]> {
  const known = await findKnownDevice(ctx, userId, tokens)
  const token = newToken()
  await saveKnownDevice(
    ctx.db,
    {
      tokenHash: hashToken(token),
      userId,
      hasGivenFactor,
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + knownDeviceSeconds * 1000),
    },
    { replaces: known?.tokenHash ?? null, limit: maxDevicesPerUser },
  )
  const others = tokens.filter((one) => hashToken(one) !== known?.tokenHash)
  return [token, ...others].slice(0, maxTokensPerBrowser)
}
