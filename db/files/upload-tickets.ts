import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export async function insertTicket(db: Db, ticket: Schema['uploadTickets']): Promise<void> {
  await db.insertInto('uploadTickets').values(ticket).execute()
}

/** Marks a ticket as used: of concurrent requests, one gets true. */
export async function markTicketUsed(
  db: Db,
  { id, sessionId, now }: { id: string; sessionId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploadTickets')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('sessionId', '=', sessionId)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Tickets that expired before this time, the oldest first, each with the file or picture created
 * from it.
 */
export const listExpiredTickets = (
  db: Db,
  { before, after, limit }: { before: Date; after: string; limit: number },
) =>
  db
    .selectFrom('uploadTickets')
    .leftJoin('files', 'files.id', 'uploadTickets.id')
    .leftJoin('productPictures', 'productPictures.id', 'uploadTickets.id')
    .select(({ fn }) => [
      'uploadTickets.id',
      'uploadTickets.usedAt',
      fn.coalesce('files.id', 'productPictures.id').as('storedId'),
    ])
    .where('uploadTickets.expiresAt', '<', before)
    .where('uploadTickets.id', '>', after)
    .orderBy('uploadTickets.id')
    .limit(limit)
    .execute()

export async function deleteTicket(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploadTickets').where('id', '=', id).execute()
}
