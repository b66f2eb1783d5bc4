import type { WaitingFor } from '#domain/messages/messages.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../engine/client.ts'

/** How much waits in a queue now. */
export type QueueState = {
  name: string
  waiting: number
  /** Since when the oldest row is due; null when none waits. */
  oldest: Date | null
  /** Since when the oldest row that failed and will be tried again has waited; null without one. */
  retriedSince: Date | null
  /** Rows that were given up and need a person. */
  failed: number
}

type Queue = {
  name: string
  table: string
  /** When a row became due. */
  since: string
  waits: (now: Date) => RawBuilder<unknown>
  /**
   * Rows whose attempts the shop depends on. Each failure makes them due later, so that `oldest`
   * does not show them. A row that is tried for the first time now is one of them for seconds.
   */
  retried?: { since: string; rows: RawBuilder<unknown> }
  failed?: RawBuilder<unknown>
}

const discardedFile = sql`(registered_at is null or discarded_at is not null) and discarded_at is not null`

/** A condition repeats the one of its partial index, so that only the rows that wait are read. */
const queues: readonly Queue[] = [
  {
    name: 'outbox',
    table: 'outbox',
    since: 'due_at',
    waits: (now) => sql`sent_at is null and failed_at is null and due_at <= ${now}`,
    retried: {
      since: 'created_at',
      rows: sql`sent_at is null and failed_at is null and attempts > 0`,
    },
    failed: sql`failed_at is not null`,
  },
  {
    name: 'refunds',
    table: 'refunds',
    since: 'due_at',
    waits: (now) => sql`due_at is not null and due_at <= ${now}`,
    retried: { since: 'created_at', rows: sql`due_at is not null and attempts > 0` },
    failed: sql`failed_at is not null`,
  },
  {
    name: 'payment_holds',
    table: 'payment_holds',
    since: 'due_at',
    waits: (now) => sql`due_at is not null and due_at <= ${now}`,
    // An authorization that waits for a pharmacist is only looked at.
    retried: {
      since: 'updated_at',
      rows: sql`due_at is not null and attempts > 0 and status in ('capturing', 'voiding')`,
    },
  },
  {
    name: 'payment_events',
    table: 'payment_events',
    since: 'received_at',
    waits: () => sql`handled_at is null`,
  },
  {
    name: 'checkouts',
    table: 'checkouts',
    since: 'check_at',
    waits: (now) => sql`check_at is not null and check_at <= ${now}`,
  },
  {
    name: 'imports',
    table: 'csv_imports',
    since: 'updated_at',
    waits: () => sql`status in ('checking', 'applying')`,
  },
  {
    name: 'pictures',
    table: 'picture_fetches',
    since: 'due_at',
    // The job leaves out deleted products.
    waits: (now) =>
      sql`due_at is not null and due_at <= ${now} and product_id in (select id from products where deleted_at is null)`,
    failed: sql`due_at is null`,
  },
  {
    name: 'webhooks',
    table: 'webhook_deliveries',
    since: 'next_at',
    // What waits for a disabled endpoint waits for a person.
    waits: (now) =>
      sql`next_at is not null and next_at <= ${now} and endpoint_id in (select id from webhook_endpoints where disabled_at is null)`,
    failed: sql`state = 'failed'`,
  },
  {
    name: 'files',
    table: 'files',
    since: 'discarded_at',
    waits: () => discardedFile,
    // The next sweep deletes them. Those that stay are what the storage refuses to delete.
    retried: { since: 'discarded_at', rows: discardedFile },
  },
  { name: 'erasures', table: 'erasures', since: 'created_at', waits: () => sql`true` },
  { name: 'recalls', table: 'recall_tasks', since: 'requested_at', waits: () => sql`true` },
  {
    name: 'messages',
    table: 'message_threads',
    since: 'updated_at',
    waits: () => sql`waiting_for = ${sql.lit('pharmacy' satisfies WaitingFor)}`,
  },
]

const neverRetried = { retriedSince: null, failed: 0 }
const count = sql<number>`cast(count(*) as integer)`.as('count')

/** The smallest `since` of these rows. A plain column, so that the driver reads it as a time. */
async function findOldest(
  db: Db,
  { table, since, rows }: { table: string; since: string; rows: RawBuilder<unknown> },
): Promise<Date | null> {
  const { rows: found } = await sql<{ since: Date }>`
    select ${sql.ref(since)} as since from ${sql.table(table)} where ${rows}
    order by ${sql.ref(since)} limit 1`.execute(db)
  return found[0]?.since ?? null
}

async function readQueue(db: Db, queue: Queue, now: Date): Promise<QueueState> {
  const { name, table, since, retried, failed } = queue
  const waits = queue.waits(now)
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select cast(count(*) as integer) as waiting,
      ${failed ? sql`(select cast(count(*) as integer) from ${sql.table(table)} where ${failed})` : sql`0`} as failed
    from ${sql.table(table)} where ${waits}`.execute(db)
  const counts = rows[0] ?? { waiting: 0, failed: 0 }
  return {
    name,
    ...counts,
    oldest: counts.waiting === 0 ? null : await findOldest(db, { table, since, rows: waits }),
    retriedSince: retried ? await findOldest(db, { table, ...retried }) : null,
  }
}

/**
 * What waits in the shop's queues. One queue after another: all at once would need every connection
 * of the requests' pool.
 */
export async function listQueues(db: Db, now: Date): Promise<QueueState[]> {
  const states: QueueState[] = []
  for (const queue of queues) states.push(await readQueue(db, queue, now))
  const prescriptions = await sumWaitingPrescriptions(db)
  const audit = await readAuditQueue(db)
  return [
    ...states,
    { name: 'prescriptions', waiting: prescriptions.count, oldest: prescriptions.oldest, ...neverRetried },
    { name: 'audit_chain', ...audit, ...neverRetried },
  ]
}

/** Rows of the audit log that are not chained yet. Their ids are in the order of time. */
async function readAuditQueue(db: Db): Promise<{ waiting: number; oldest: Date | null }> {
  const { count: waiting } = await db.selectFrom('auditPending').select(count).executeTakeFirstOrThrow()
  const oldest = await db
    .selectFrom('auditPending')
    .innerJoin('auditLog', 'auditLog.id', 'auditPending.auditId')
    .select('auditLog.at')
    .orderBy('auditPending.auditId')
    .limit(1)
    .executeTakeFirst()
  return { waiting, oldest: oldest?.at ?? null }
}

/** Prescriptions under review, and the upload time of the oldest. */
async function sumWaitingPrescriptions(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const [waiting, oldest] = await Promise.all([
    db
      .selectFrom('prescriptions')
      .select(sql<number>`cast(count(*) as integer)`.as('count'))
      .where('status', '=', 'under_review')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('prescriptions')
      .select('uploadedAt')
      .where('status', '=', 'under_review')
      .orderBy('uploadedAt')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { count: waiting.count, oldest: oldest?.uploadedAt ?? null }
}
