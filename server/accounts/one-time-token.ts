import {
  deleteOneTimeTokens,
  findOneTimeToken,
  insertOneTimeToken,
  takeOneTimeToken as takeToken,
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

/** How long each lasts, in seconds. */
const lifetimes: Record<TokenPurpose, number> = {
  'confirm-email': 7 * 24 * 3600,
  'reset-password': 3600,
  'change-email': 24 * 3600,
  'second-factor': 600,
}

/** How many minutes a token of this purpose lasts, as a mail says it. */
export const minutesOf = (purpose: TokenPurpose): number => lifetimes[purpose] / 60

/**
 * A token for a link or a cookie that works once and lapses; those of the same purpose before it no longer work. The database
 * keeps its hash. In a transaction.
 * @param detail what it is about besides, kept sealed for the user
 */
export async function makeOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  { purpose, userId, detail = null }: { purpose: TokenPurpose; userId: string; detail?: string | null },
): Promise<string> {
  const token = newToken()
  const tokenHash = hashToken(token)
  const key: KeyRing | null = detail === null ? null : await openUserKey(ctx, userId)
  // Of two asked for at once, one takes the other's place as well.
  await lockUser(ctx.db, userId)
  await deleteOneTimeTokens(ctx.db, { userId, purpose })
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

const open = async (
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

/** What a token is about, without using it up; null when it is unknown, used or late. */
export async function readOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | null> {
  const tokenHash = hashToken(token)
  return open(ctx, tokenHash, await findOneTimeToken(ctx.db, { tokenHash, purpose, now: ctx.now }))
}

/** Uses a token up; null when it is unknown, used or late. In the transaction of what it allows. */
export async function takeOneTimeToken(
  ctx: Pick<Context, 'db' | 'now' | 'keys'>,
  purpose: TokenPurpose,
  token: string,
): Promise<OneTimeToken | null> {
  const sought = { tokenHash: hashToken(token), purpose, now: ctx.now }
  const found = await findOneTimeToken(ctx.db, sought)
  // The user's row before the token's, as everything takes them: the other way round each of two could wait for the other.
  if (!found || !(await lockUser(ctx.db, found.userId))) return null
  return open(ctx, sought.tokenHash, await takeToken(ctx.db, sought))
}
