import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type Token = Schema['oneTimeTokens']
type TokenLookup = { tokenHash: string; purpose: Token['purpose']; now: Date }

export async function insertOneTimeToken(db: Db, token: Token): Promise<void> {
  await db.insertInto('oneTimeTokens').values(token).execute()
}

/** A valid token, or null. */
export async function findOneTimeToken(db: Db, { tokenHash, purpose, now }: TokenLookup) {
  const row = await db
    .selectFrom('oneTimeTokens')
    .select(['userId', 'sealedDetail'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Consumes a token: of concurrent requests, one gets it. Null when it is unknown, used or expired.
 */
export async function consumeOneTimeToken(db: Db, { tokenHash, purpose, now }: TokenLookup) {
  const row = await db
    .deleteFrom('oneTimeTokens')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .returning(['userId', 'sealedDetail'])
    .executeTakeFirst()
  return row ?? null
}

/** Whether a user has a token of a purpose that was created after a time. */
export async function hasTokenSince(
  db: Db,
  { userId, purpose, since }: Pick<Token, 'userId' | 'purpose'> & { since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('oneTimeTokens')
    .select('tokenHash')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('createdAt', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a user's tokens of a purpose, so that only the newest link works. */
export async function deleteOneTimeTokens(
  db: Db,
  { userId, purpose }: Pick<Token, 'userId' | 'purpose'>,
): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).where('purpose', '=', purpose).execute()
}

/** Deletes every token that can give access to a user's account. */
export async function deleteEntryTokens(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('oneTimeTokens')
    .where('userId', '=', userId)
    .where('purpose', 'in', ['reset-password', 'change-email', 'second-factor'])
    .execute()
}

/** Deletes every token of a user. */
export async function deleteAllTokens(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute()
}

export async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('expiresAt', '<=', now).execute()
}
