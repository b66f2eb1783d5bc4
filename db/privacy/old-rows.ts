import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../engine/client.ts'

/** Rows of one table that have outlived their time, and what happens to them. */
type OldRows = {
  table: string
  since: string
  isOld: (before: Date) => RawBuilder<unknown>
  set?: RawBuilder<unknown>
}

/** By the names of `retention` in the domain. Other rules have a job of their own. */
const oldRows = {
  recordAccesses: {
    table: 'record_accesses',
    since: 'expires_at',
    isOld: (before) => sql`expires_at < ${before}`,
  },
  contactMessages: {
    table: 'contact_messages',
    since: 'created_at',
    isOld: (before) => sql`created_at < ${before}`,
  },
  paymentEvents: {
    table: 'payment_events',
    since: 'handled_at',
    isOld: (before) => sql`handled_at < ${before}`,
  },
  failedMailTexts: {
    table: 'outbox',
    since: 'failed_at',
    isOld: (before) => sql`failed_at < ${before} and sealed_mail is not null`,
    set: sql`sealed_mail = null`,
  },
  mail: {
    table: 'outbox',
    since: 'created_at',
    isOld: (before) => sql`created_at < ${before} and (sent_at is not null or failed_at is not null)`,
  },
  apiKeys: {
    table: 'api_keys',
    since: 'expires_at',
    isOld: (before) => sql`(expires_at < ${before} or revoked_at < ${before})`,
  },
  requestKeys: {
    table: 'request_keys',
    since: 'created_at',
    isOld: (before) => sql`created_at < ${before}`,
  },
  webhookDeliveries: {
    table: 'webhook_deliveries',
    since: 'created_at',
    isOld: (before) => sql`created_at < ${before}`,
  },
} as const satisfies Record<string, OldRows>

export type OldRowsName = keyof typeof oldRows
export const oldRowsNames = Object.keys(oldRows).filter((name): name is OldRowsName => name in oldRows)

/**
 * Deletes some rows from before this time, or empties what has to go. Two processes at once delete
 * the same rows, once. Returns how many.
 */
export async function deleteOldRows(
  db: Db,
  name: OldRowsName,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { table, since, isOld, set }: OldRows = oldRows[name]
  const some = sql`id in (select id from ${sql.table(table)} where ${isOld(before)} order by ${sql.ref(since)} limit ${limit})`
  const { numAffectedRows = 0n } = await (
    set
      ? sql`update ${sql.table(table)} set ${set} where ${some}`
      : sql`delete from ${sql.table(table)} where ${some}`
  ).execute(db)
  return Number(numAffectedRows)
}
