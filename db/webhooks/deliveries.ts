import { getEngine, type Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import type { EndpointRow } from './endpoints.ts'

export type DeliveryRow = Schema['webhookDeliveries']
export type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'eventId' | 'endpointId' | 'type' | 'sealedPayload' | 'createdAt'
>

/** SQLite binds at most 32,766 values. */
const rowsPerInsert = 500

export async function insertDeliveries(db: Db, rows: readonly NewDelivery[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert)
    await db
      .insertInto('webhookDeliveries')
      .values(
        some.map((row) => ({
          ...row,
          state: 'pending' as const,
          attempts: 0,
          nextAt: row.createdAt,
          lastStatus: null,
          lastError: null,
          finishedAt: null,
        })),
      )
      .execute()
  }
}

/** Enabled endpoints for which a delivery is due. */
export const listDueEndpoints = (db: Db, now: Date): Promise<EndpointRow[]> =>
  db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('disabledAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhookDeliveries')
          .select('webhookDeliveries.id')
          .whereRef('endpointId', '=', 'webhookEndpoints.id')
          .where('nextAt', 'is not', null)
          .where('nextAt', '<=', now),
      ),
    )
    .execute()

export type ClaimedDelivery = Pick<DeliveryRow, 'id' | 'eventId' | 'sealedPayload' | 'attempts'>

/**
 * Claims due deliveries of an endpoint that is not disabled, oldest first. No other process gets
 * them before `leaseEnds`, so a process that dies loses nothing. `attempts` includes this attempt.
 */
export async function claimDeliveries(
  db: Db,
  { endpointId, now, leaseEnds, limit }: { endpointId: string; now: Date; leaseEnds: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  return db.transaction().execute(async (tx) => {
    let query = tx
      .selectFrom('webhookDeliveries')
      .select(['id', 'eventId', 'sealedPayload', 'attempts'])
      .where('endpointId', 'in', (query) =>
        query
          .selectFrom('webhookEndpoints')
          .select('id')
          .where('id', '=', endpointId)
          .where('disabledAt', 'is', null),
      )
      .where('nextAt', 'is not', null)
      .where('nextAt', '<=', now)
      .orderBy('nextAt')
      .orderBy('id')
      .limit(limit)
    // Postgres skips rows that another process is claiming. SQLite has only one writer at a time.
    if (getEngine(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const rows = await query.execute()
    if (rows.length === 0) return []
    await tx
      .updateTable('webhookDeliveries')
      .set(({ eb }) => ({ nextAt: leaseEnds, attempts: eb('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
    return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }))
  })
}

/** Records an attempt, unless another process has claimed the delivery since. */
export async function saveAttempt(
  db: Db,
  {
    id,
    attempts,
    ...result
  }: Pick<DeliveryRow, 'id' | 'attempts' | 'state' | 'nextAt' | 'lastStatus' | 'lastError' | 'finishedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookDeliveries')
    .set(result)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns an attempt that the shop's own stop ended: it does not count. */
export async function returnClaim(
  db: Db,
  { id, attempts, now }: { id: string; attempts: number; now: Date },
): Promise<void> {
  await db
    .updateTable('webhookDeliveries')
    .set({ nextAt: now, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .execute()
}

/**
 * Makes a finished delivery due again, from the first attempt on. Returns false when it is deleted,
 * waits, or its endpoint is disabled.
 */
export async function reopenDelivery(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookDeliveries')
    .set({ state: 'pending', attempts: 0, nextAt: now, finishedAt: null })
    .where('id', '=', id)
    .where('state', '!=', 'pending')
    .where('endpointId', 'in', (eb) =>
      eb.selectFrom('webhookEndpoints').select('webhookEndpoints.id').where('disabledAt', 'is', null),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The newest deliveries. */
export const listDeliveries = (db: Db, limit: number) =>
  db
    .selectFrom('webhookDeliveries')
    .select(['id', 'eventId', 'endpointId', 'type', 'state', 'attempts', 'nextAt', 'lastStatus', 'lastError'])
    .select('createdAt')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
