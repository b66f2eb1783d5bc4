import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'

type NewMail = { id: string; sealedMail: string; createdAt: Date; dueAt: Date }

const insert = prepareQuery((db, p: Params<NewMail>) =>
  db
    .insertInto('outbox')
    .values({ id: p.id, sealedMail: p.sealedMail, createdAt: p.createdAt, dueAt: p.dueAt }),
)

export async function insertMail(db: Db, mail: NewMail): Promise<void> {
  await insert(db, mail)
}

/** Deletes a mail that no process has claimed yet. Returns false when it is leaving or gone. */
export async function withdrawMail(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('attempts', '=', 0)
    .where('sentAt', 'is', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes mail that was queued in the same transaction. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

export type ClaimedMail = { id: string; sealedMail: string; attempts: number; createdAt: Date }

const dueMails = (db: Db, now: Date) =>
  db
    .selectFrom('outbox')
    .select(['id', 'sealedMail', 'attempts', 'createdAt'])
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .orderBy('id')

/**
 * Claims due mail, oldest first. No other process gets it before `leaseEnds`, so a process that
 * dies loses nothing. `attempts` includes this attempt.
 */
export async function claimMails(
  db: Db,
  { now, leaseEnds, limit }: { now: Date; leaseEnds: Date; limit: number },
): Promise<ClaimedMail[]> {
  // Usually nothing is due. Checking without a transaction keeps SQLite's only writer free.
  if (!(await dueMails(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = dueMails(tx, now).limit(limit)
    // Postgres skips rows that another process is claiming. SQLite has only one writer at a time.
    if (getEngine(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const rows = await query.execute()
    const claimed = rows.flatMap(({ sealedMail, attempts, ...row }) =>
      sealedMail === null ? [] : [{ ...row, sealedMail, attempts: attempts + 1 }],
    )
    if (claimed.length > 0) {
      await tx
        .updateTable('outbox')
        .set(({ eb }) => ({ dueAt: leaseEnds, attempts: eb('attempts', '+', 1) }))
        .where(
          'id',
          'in',
          claimed.map(({ id }) => id),
        )
        .execute()
    }
    return claimed
  })
}

/** Marks mail as sent. @param keep whether the sealed text stays, for the demo's outbox page */
export async function markMailSent(
  db: Db,
  { id, now, keep }: { id: string; now: Date; keep: boolean },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ sentAt: now, ...(!keep && { sealedMail: null }) })
    .where('id', '=', id)
    .execute()
}

/** Schedules another attempt, unless another process has claimed the mail since. */
export async function postponeMail(
  db: Db,
  { id, attempts, dueAt }: { id: string; attempts: number; dueAt: Date },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ dueAt })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sentAt', 'is', null)
    .execute()
}

/** Marks mail as failed for good; its sealed text stays. */
export async function markMailFailed(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ failedAt: now })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .execute()
}

export type StoredMail = {
  id: string
  sealedMail: string
  createdAt: Date
  sentAt: Date | null
  failedAt: Date | null
}

/** The newest mail whose text is still stored. */
export async function listStoredMails(db: Db, limit: number): Promise<StoredMail[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'sealedMail', 'createdAt', 'sentAt', 'failedAt'])
    .where('sealedMail', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ sealedMail, ...row }) => (sealedMail === null ? [] : [{ ...row, sealedMail }]))
}
