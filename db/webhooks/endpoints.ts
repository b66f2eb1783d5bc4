import type { DisabledReason, WebhookTopic } from '#domain/webhooks/webhook-events.ts'
import { prepareQuery, type Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type EndpointRow = Schema['webhookEndpoints']

const enabled = prepareQuery((db) =>
  db.selectFrom('webhookEndpoints').select(['id', 'topic']).where('disabledAt', 'is', null),
)

/** Read in each transaction that changes an order or stock, so it is prepared. */
export const listEnabledEndpoints = (db: Db): Promise<{ id: string; topic: WebhookTopic }[]> =>
  enabled(db, {})

export const listEndpoints = (db: Db): Promise<EndpointRow[]> =>
  db.selectFrom('webhookEndpoints').selectAll().orderBy('id').execute()

/** Returns false when an endpoint with this id exists. */
export async function insertEndpoint(
  db: Db,
  row: Pick<EndpointRow, 'id' | 'url' | 'topic' | 'sealedSecret' | 'createdBy' | 'createdAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('webhookEndpoints')
    .values({ ...row, failingSince: null, disabledAt: null, disabledReason: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false when it is deleted or disabled already. */
export async function disableEndpoint(
  db: Db,
  { id, now, reason }: { id: string; now: Date; reason: DisabledReason },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookEndpoints')
    .set({ disabledAt: now, disabledReason: reason })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false when it is deleted or enabled already. */
export async function enableEndpoint(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookEndpoints')
    .set({ disabledAt: null, disabledReason: null, failingSince: null })
    .where('id', '=', id)
    .where('disabledAt', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Notes a success (null), or a failure. Returns since when every attempt has failed: the first
 * failure of a series stays.
 */
export async function noteAttempt(
  db: Db,
  { id, failedAt }: { id: string; failedAt: Date | null },
): Promise<Date | null> {
  const row = await db
    .updateTable('webhookEndpoints')
    .set((eb) => ({
      failingSince: failedAt === null ? null : eb.fn.coalesce('failingSince', eb.val(failedAt)),
    }))
    .where('id', '=', id)
    .returning('failingSince')
    .executeTakeFirst()
  return row?.failingSince ?? null
}

/** Deletes an endpoint with its log. Returns false when it is deleted already. */
export async function deleteEndpoint(db: Db, id: string): Promise<boolean> {
  await db.deleteFrom('webhookDeliveries').where('endpointId', '=', id).execute()
  const { numDeletedRows } = await db.deleteFrom('webhookEndpoints').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
