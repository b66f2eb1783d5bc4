import type { Db } from '../engine/client.ts'

/**
 * Counts one hit of a key, in one statement, so that no concurrent hit is missed. A window that has
 * ended starts over. Returns the count including this hit, and when the window ends.
 */
export async function countHit(
  db: Db,
  { keyHash, now, endsAt }: { keyHash: string; now: Date; endsAt: Date },
): Promise<{ hits: number; endsAt: Date }> {
  const row = await db
    .insertInto('rateLimits')
    .values({ keyHash, hits: 1, endsAt })
    .onConflict((conflict) =>
      conflict.column('keyHash').doUpdateSet(({ eb }) => {
        const hasEnded = eb('rateLimits.endsAt', '<=', now)
        return {
          hits: eb
            .case()
            .when(hasEnded)
            .then(1)
            .else(eb('rateLimits.hits', '+', 1))
            .end(),
          endsAt: eb
            .case()
            .when(hasEnded)
            .then(eb.ref('excluded.endsAt'))
            .else(eb.ref('rateLimits.endsAt'))
            .end(),
        }
      }),
    )
    .returning(['hits', 'endsAt'])
    .executeTakeFirstOrThrow()
  // SQLite reports no column types for `returning`, so the timestamp is text here.
  return { hits: row.hits, endsAt: new Date(row.endsAt) }
}

/** The hits of a key in its current window; null when there is none. */
export async function findHits(
  db: Db,
  { keyHash, now }: { keyHash: string; now: Date },
): Promise<{ hits: number; endsAt: Date } | null> {
  const row = await db
    .selectFrom('rateLimits')
    .select(['hits', 'endsAt'])
    .where('keyHash', '=', keyHash)
    .where('endsAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Uncounts one hit in the current window. */
export async function uncountHit(db: Db, { keyHash, now }: { keyHash: string; now: Date }): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set(({ eb }) => ({ hits: eb('hits', '-', 1) }))
    .where('keyHash', '=', keyHash)
    .where('endsAt', '>', now)
    .where('hits', '>', 0)
    .execute()
}

/** Deletes the hits of a key. */
export async function deleteHits(db: Db, keyHash: string): Promise<void> {
  await db.deleteFrom('rateLimits').where('keyHash', '=', keyHash).execute()
}

/** Deletes windows that have ended. */
export async function deleteExpiredLimits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rateLimits').where('endsAt', '<=', now).execute()
}
