import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type ReminderRow = Schema['refillReminders']

/** Turns reminders on. False when they are on already. */
export async function insertReminder(db: Db, row: ReminderRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('refillReminders')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Turns reminders off. False when they are off already. */
export async function deleteReminder(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('refillReminders')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Whether a customer wants reminders. */
export async function hasReminder(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('refillReminders')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The customer of a link that turns reminders off; null when they are off. */
export async function findReminderUser(db: Db, tokenHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('refillReminders')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return row?.userId ?? null
}

/** Customers who can sign in, with a confirmed address, and were not looked at since `before`. */
export async function listDueReminders(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('refillReminders')
    .innerJoin('users', 'users.id', 'refillReminders.userId')
    .select('refillReminders.userId')
    .where('checkedAt', '<', before)
    .where('users.suspendedAt', 'is', null)
    .where('users.emailConfirmedAt', 'is not', null)
    .orderBy('checkedAt')
    .orderBy('refillReminders.userId')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/**
 * Claims the check of a customer's refills. False when another process has claimed it, or the
 * customer turned reminders off.
 */
export async function claimRefillCheck(
  db: Db,
  { userId, before, now }: { userId: string; before: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refillReminders')
    .set({ checkedAt: now })
    .where('userId', '=', userId)
    .where('checkedAt', '<', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks refills as reminded of. Returns how many were not before. */
export async function markReminded(db: Db, fillIds: readonly string[], now: Date): Promise<number> {
  if (fillIds.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sentReminders')
    .values(fillIds.map((fillId) => ({ fillId, sentAt: now })))
    .onConflict((conflict) => conflict.column('fillId').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0n)
}
