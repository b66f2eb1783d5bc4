import { sql, type Selectable } from 'kysely'
import type { MessageSender, WaitingFor } from '#domain/messages/messages.ts'
import type { ThreadQuery } from '#domain/messages/thread-list.ts'
import { getEngine, type Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

export type ThreadRow = Selectable<Schema['messageThreads']>
export type MessageRow = Selectable<Schema['messages']>

/** What a thread is about, and its customer. */
export type Subject = { id: string; kind: 'order' | 'prescription'; userId: string }

/** The order or prescription with this id; null when there is none or its account was deleted. */
export async function findSubject(db: Db, id: string): Promise<Subject | null> {
  const order = await db.selectFrom('orders').select('userId').where('id', '=', id).executeTakeFirst()
  if (order) return order.userId === null ? null : { id, kind: 'order', userId: order.userId }
  const prescription = await db
    .selectFrom('prescriptions')
    .select('userId')
    .where('id', '=', id)
    .executeTakeFirst()
  return prescription ? { id, kind: 'prescription', userId: prescription.userId } : null
}

/** Creates a thread, unless there is one. */
export async function createThread(db: Db, { id, kind, userId }: Subject, now: Date): Promise<void> {
  await db
    .insertInto('messageThreads')
    .values({
      subjectId: id,
      userId,
      orderId: kind === 'order' ? id : null,
      prescriptionId: kind === 'prescription' ? id : null,
      waitingFor: 'none',
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('subjectId').doNothing())
    .execute()
}

/** A thread, locked until the end of the transaction; null when there is none. */
export async function lockThread(db: Db, subjectId: string): Promise<ThreadRow | null> {
  const thread = db.selectFrom('messageThreads').selectAll().where('subjectId', '=', subjectId)
  // SQLite has one writer anyway.
  const row = await (getEngine(db) === 'postgres' ? thread.forNoKeyUpdate() : thread).executeTakeFirst()
  return row ?? null
}

/** Locks all threads of a user, ordered by their subject. */
export async function lockThreadsOf(db: Db, userId: string): Promise<void> {
  const threads = db
    .selectFrom('messageThreads')
    .select('subjectId')
    .where('userId', '=', userId)
    .orderBy('subjectId')
  if (getEngine(db) === 'postgres') await threads.forUpdate().execute()
}

/** Stores a message. False when this submission is stored already. */
export async function insertMessage(db: Db, message: MessageRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('messages')
    .values(message)
    .onConflict((conflict) => conflict.columns(['subjectId', 'requestKey']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Sets who writes next in a thread. */
export async function updateThread(
  db: Db,
  { subjectId, waitingFor, now }: { subjectId: string; waitingFor: WaitingFor; now: Date },
): Promise<void> {
  await db
    .updateTable('messageThreads')
    .set({ waitingFor, updatedAt: now })
    .where('subjectId', '=', subjectId)
    .execute()
}

/** Ends the wait of a thread. */
export async function closeThread(db: Db, subjectId: string): Promise<void> {
  await db
    .updateTable('messageThreads')
    .set({ waitingFor: 'none' })
    .where('subjectId', '=', subjectId)
    .execute()
}

/** The id of the last message of a thread, or of its last one by this sender; null without one. */
export async function findLastMessageId(
  db: Db,
  { subjectId, sender }: { subjectId: string; sender?: MessageSender },
): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('subjectId', '=', subjectId)
    .$if(sender !== undefined, (query) => query.where('sender', '=', sender ?? 'customer'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

export async function countMessages(db: Db, subjectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('subjectId', '=', subjectId)
    .executeTakeFirstOrThrow()
  return count
}

/** The threads about these orders and prescriptions. */
export const listThreadsAbout = (db: Db, subjectIds: readonly string[]): Promise<ThreadRow[]> =>
  db
    .selectFrom('messageThreads')
    .selectAll()
    .where(isOneOf(db, 'subject_id', sql`${JSON.stringify(subjectIds)}`))
    .execute()

/** All threads of a customer. */
export const listUserThreads = (db: Db, userId: string): Promise<ThreadRow[]> =>
  db.selectFrom('messageThreads').selectAll().where('userId', '=', userId).orderBy('subjectId').execute()

/** The messages of these threads, the oldest first. */
export const listMessages = (db: Db, subjectIds: readonly string[]): Promise<MessageRow[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where(isOneOf(db, 'subject_id', sql`${JSON.stringify(subjectIds)}`))
    .orderBy('id')
    .execute()

const waitingThreads = (db: Db) =>
  db.selectFrom('messageThreads').where('waitingFor', '=', sql.lit('pharmacy'))

/** A page of the threads that wait for the pharmacy, with what opens the customer's name. */
export const listWaitingThreads = (db: Db, query: ThreadQuery) =>
  keysetPage(
    waitingThreads(db)
      .innerJoin('users', 'users.id', 'messageThreads.userId')
      .innerJoin('userKeys', 'userKeys.userId', 'messageThreads.userId')
      .selectAll('messageThreads')
      .select(['users.sealedName', 'userKeys.wrappedKey']),
    { by: sql<string>`message_threads.updated_at`, id: sql`message_threads.subject_id` },
    query,
    countRows(db, waitingThreads(db)),
  )
