import { sql, type RawBuilder } from 'kysely'
import { sumWaitingPrescriptions } from '../dashboard/dashboard.ts'
import type { Db } from '../engine/client.ts'

/** How much waits in a queue now. */
export type QueueState = {
  name: string
  waiting: number
  /** Since when the oldest row is due; null when none waits. */
  oldest: Date | null
  /** Rows that were given up and need a person. */
  failed: number
}

type Queue = {
  name: string
  table: string
  /** When a row became due. */
  since: string
  waits: (now: Date) => RawBuilder<unknown>
  failed?: RawBuilder<unknown>
}

/** A condition repeats the one of its partial index, so that only the rows that wait are read. */
const queues: readonly Queue[] = [
  {
    name: 'outbox',
    table: 'outbox',
    since: 'due_at',
    waits: (now) => sql`sent_at is null and failed_at is null and due_at <= ${now}`,
    failed: sql`failed_at is not null`,
  },
  {
    name: 'refunds',
    table: 'refunds',
    since: 'due_at',
    waits: (now) => sql`due_at is not null and due_at <= ${now}`,
    failed: sql`failed_at is not null`,
  },
  {
    name: 'payment_holds',
    table: 'payment_holds',
    since: 'due_at',
    waits: (now) => sql`due_at is not null and due_at <= ${now}`,
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
    waits: (now) => sql`due_at is not null and due_at <= ${now}`,
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
  { name: 'erasures', table: 'erasures', since: 'created_at', waits: () => sql`true` },
  { name: 'recalls', table: 'recall_tasks', since: 'requested_at', waits: () => sql`true` },
  {
    name: 'messages',
    table: 'message_threads',
    since: 'updated_at',
    waits: () => sql`waiting_for = 'pharmacist'`,
  },
]

const count = sql<number>`cast(count(*) as integer)`.as('count')

async function readQueue(
  db: Db,
  { name, table, since, waits, failed }: Queue,
  now: Date,
): Promise<QueueState> {
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select cast(count(*) as integer) as waiting,
      ${failed ? sql`(select cast(count(*) as integer) from ${sql.table(table)} where ${failed})` : sql`0`} as failed
    from ${sql.table(table)} where ${waits(now)}`.execute(db)
  const { waiting, failed: given } = rows[0] ?? { waiting: 0, failed: 0 }
  if (waiting === 0) return { name, waiting, oldest: null, failed: given }
  // A plain column, so that the driver reads it as a time.
  const { rows: oldest } = await sql<{ since: Date }>`
    select ${sql.ref(since)} as since from ${sql.table(table)} where ${waits(now)}
    order by ${sql.ref(since)} limit 1`.execute(db)
  return { name, waiting, oldest: oldest[0]?.since ?? null, failed: given }
}

/** What waits in the shop's queues. */
export async function listQueues(db: Db, now: Date): Promise<QueueState[]> {
  const [prescriptions, audit, ...rest] = await Promise.all([
    sumWaitingPrescriptions(db),
    readAuditQueue(db),
    ...queues.map((queue) => readQueue(db, queue, now)),
  ])
  return [
    ...rest,
    { name: 'prescriptions', waiting: prescriptions.count, oldest: prescriptions.oldest, failed: 0 },
    { name: 'audit_chain', ...audit, failed: 0 },
  ]
}

/** Rows of the audit log that are not chained yet. Their ids are in the order of time. */
async function readAuditQueue(db: Db): Promise<{ waiting: number; oldest: Date | null }> {
  const [{ count: waiting }, oldest] = await Promise.all([
    db.selectFrom('auditPending').select(count).executeTakeFirstOrThrow(),
    db
      .selectFrom('auditPending')
      .innerJoin('auditLog', 'auditLog.id', 'auditPending.auditId')
      .select('auditLog.at')
      .orderBy('auditPending.auditId')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { waiting, oldest: oldest?.at ?? null }
}
