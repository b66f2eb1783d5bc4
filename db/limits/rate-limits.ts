import type { Db } from '../engine/client.ts'

/**
 * Counts one more under a key, in one statement: however many processes count at once, none is missed. A span that is over
 * begins anew. Returns the count with this one, and when the span ends.
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
        const isOver = eb('rateLimits.endsAt', '<=', now)
        return {
          hits: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb('rateLimits.hits', '+', 1))
            .end(),
          endsAt: eb
            .case()
            .when(isOver)
            .then(eb.ref('excluded.endsAt'))
            .else(eb.ref('rateLimits.endsAt'))
            .end(),
        }
      }),
    )
    .returning(['hits', 'endsAt'])
    .executeTakeFirstOrThrow()
  // SQLite tells no column types of what a write returns, so its moment is text here.
  return { hits: row.hits, endsAt: new Date(row.endsAt) }
}

/** What a key has counted in the span that is running; null when none is. */
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

/** Counts one less in the span that is running. */
export async function takeHitBack(db: Db, { keyHash, now }: { keyHash: string; now: Date }): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set(({ eb }) => ({ hits: eb('hits', '-', 1) }))
    .where('keyHash', '=', keyHash)
    .where('endsAt', '>', now)
    .where('hits', '>', 0)
    .execute()
}

/** Forgets the spans that are over. */
export async function deleteEndedLimits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rateLimits').where('endsAt', '<=', now).execute()
}
