import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type Token = Schema['oneTimeTokens']
type Sought = { tokenHash: string; purpose: Token['purpose']; now: Date }

export async function insertOneTimeToken(db: Db, token: Token): Promise<void> {
  await db.insertInto('oneTimeTokens').values(token).execute()
}

/** A token that still counts, or null. */
export async function findOneTimeToken(db: Db, { tokenHash, purpose, now }: Sought) {
  const row = await db
    .selectFrom('oneTimeTokens')
    .select(['userId', 'sealedDetail'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Uses a token up: of two who come with it at once, one gets it. Null when it is unknown, used or late. */
export async function takeOneTimeToken(db: Db, { tokenHash, purpose, now }: Sought) {
  const row = await db
    .deleteFrom('oneTimeTokens')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .returning(['userId', 'sealedDetail'])
    .executeTakeFirst()
  return row ?? null
}

/** Makes a user's other tokens of a purpose worthless: the newest link alone counts. */
export async function deleteOneTimeTokens(
  db: Db,
  { userId, purpose }: Pick<Token, 'userId' | 'purpose'>,
): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).where('purpose', '=', purpose).execute()
}

/** Makes every token of a user that leads into the account worthless. */
export async function deleteEntryTokens(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('oneTimeTokens')
    .where('userId', '=', userId)
    .where('purpose', 'in', ['reset-password', 'change-email', 'second-factor'])
    .execute()
}

export async function deleteLapsedTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('expiresAt', '<=', now).execute()
}
