import {
  deleteOneTimeTokens,
  findOneTimeToken,
  insertOneTimeToken,
  consumeOneTimeToken as consumeRow,
} from '#db/accounts/one-time-tokens.ts'
import type { Schema } from '#db/schema/schema.ts'
import { lockUser } from '#db/accounts/users.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../crypto/tokens.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { openUserKey } from '../crypto/user-key.ts'

export type TokenPurpose = Schema['oneTimeTokens']['purpose']
export type OneTimeToken = { userId: string; detail: string | null }

/** How long each token is valid, in seconds. */
const lifetimes: Record<TokenPurpose, number> = {
  'confirm-email': 7 * 24 * 3600,
  'reset-password': 3600,
  'change-email': 24 * 3600,
  'second-factor': 600,
}

/** How many minutes a token of this purpose is valid, as the email states it. */
export const lifetimeMinutes = (purpose: TokenPurpose): number => lifetimes[purpose] / 60

/**
 * Creates a token for a link or a cookie that works once and expires. Earlier links of the same
 * purpose stop working. Second steps in other browsers go on: otherwise a stranger who knows the
 * password could end the owner's. The database stores the token's hash. Call it in a transaction.
 * @param detail what the token confirms, stored sealed for the user
 */
export async function createOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  { purpose, userId, detail = null }: { purpose: TokenPurpose; userId: string; detail?: string | null },
): Promise<string> {
  const token = newToken()
  const tokenHash = hashToken(token)
  const key: KeyRing | null = detail === null ? null : await openUserKey(ctx, userId)
  // Of two concurrent requests, the later token must replace the earlier one.
  await lockUser(ctx.db, userId)
  if (purpose !== 'second-factor') await deleteOneTimeTokens(ctx.db, { userId, purpose })
  await insertOneTimeToken(ctx.db, {
    tokenHash,
    purpose,
    userId,
    sealedDetail: key && detail !== null ? seal(key, bindings.oneTimeTokenDetail(tokenHash), detail) : null,
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + lifetimes[purpose] * 1000),
  })
  return token
}

const openToken = async (
  ctx: Pick<Context, 'db' | 'keys'>,
  tokenHash: string,
  row: { userId: string; sealedDetail: string | null } | null,
): Promise<OneTimeToken | null> => {
  if (!row) return null
  const { userId, sealedDetail } = row
  const key = sealedDetail === null ? null : await openUserKey(ctx, userId)
  return {
    userId,
    detail:
      key && sealedDetail !== null ? unseal(key, bindings.oneTimeTokenDetail(tokenHash), sealedDetail) : null,
  }
}

/** Reads a token without consuming it. Null when it is unknown, used or expired. */
export async function peekOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | null> {
  const tokenHash = hashToken(token)
  return openToken(ctx, tokenHash, await findOneTimeToken(ctx.db, { tokenHash, purpose, now: ctx.now }))
}

/**
 * Consumes a token, in the transaction of what it allows. Null when it is unknown, used or expired.
 */
export async function consumeOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | null> {
  const lookup = { tokenHash: hashToken(token), purpose, now: ctx.now }
  const found = await findOneTimeToken(ctx.db, lookup)
  // Locks the user's row before the token's, like every other code path; the opposite order can
  // deadlock.
  if (!found || !(await lockUser(ctx.db, found.userId))) return null
  return openToken(ctx, lookup.tokenHash, await consumeRow(ctx.db, lookup))
}
